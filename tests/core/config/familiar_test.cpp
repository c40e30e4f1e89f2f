// Words of other tools lead to ours.
#include "config/familiar.hpp"

#include <boost/test/unit_test.hpp>

#include "config/run_rules.hpp"
#include "core/config/texts.hpp"

namespace tyto::config {

static std::string in_solver(const std::string& word) {
  for (const Rule& rule : run_rules()) {
    if (rule.key.name == "solver") return suggest_key(word, "solver", names_of(rule.members));
  }
  return "no solver section";
}

BOOST_AUTO_TEST_SUITE(familiar)

BOOST_AUTO_TEST_CASE(knows_the_stopping_keys_of_other_tools) {
  for (const char* word : {"maxiters", "max_iter", "n_iter_max", "maxit", "MaxIters"}) BOOST_TEST(in_solver(word) == "max_sweeps");
  for (const char* word : {"tol", "stoptol", "epsilon"}) BOOST_TEST(in_solver(word) == "tolerance");
  for (const char* word : {"nstarts", "n_repeats"}) BOOST_TEST(in_solver(word) == "starts");
  BOOST_TEST(in_solver("random_state") == "seed");
}

BOOST_AUTO_TEST_CASE(leads_to_the_right_section) {
  BOOST_TEST(in_solver("rank") == "settings.rank");
  BOOST_TEST(in_solver("threads") == "execution.threads");
  BOOST_TEST(in_solver("n_jobs") == "execution.threads");
  BOOST_TEST(in_solver("mask") == "data.X.mask");
  BOOST_TEST(suggest_key("max_iter", "settings", {"rank"}) == "solver.max_sweeps");
  BOOST_TEST(suggest_key("stoptol", "", {"algorithm"}) == "solver.tolerance");
  BOOST_TEST(suggest_key("plugin", "", {"algorithm"}) == "algorithm");
}

BOOST_AUTO_TEST_CASE(prefers_what_the_mapping_itself_has) {
  BOOST_TEST(suggest_key("R", "settings", {"rank", "ridge"}) == "rank");
  BOOST_TEST(suggest_key("n_components", "settings", {"rank"}) == "rank");
  BOOST_TEST(suggest_key("rank", "settings", {"ranks"}) == "ranks");
  BOOST_TEST(suggest_key("chi_max", "settings", {"maxdim", "cutoff"}) == "maxdim");
  BOOST_TEST(suggest_key("tol", "expect", {"relative_error", "tolerance"}) == "tolerance");
}

BOOST_AUTO_TEST_CASE(suggests_no_key_that_the_plugin_lacks) {
  BOOST_TEST(suggest_key("chi_max", "settings", {"rank"}) == "");
  BOOST_TEST(suggest_key("rank", "settings", {"sites"}) == "");
}

BOOST_AUTO_TEST_CASE(names_only_keys_that_exist) {
  const Rules rules = run_rules();
  for (const char* word : {"maxiters", "tol", "gtol", "maxtime", "rng", "nstarts", "initialguess", "normalise", "nthreads", "ram",
                           "device", "dtype", "outdir"}) {
    const std::string key = familiar_keys(word).at(0);
    const std::size_t dot = key.find('.');
    bool is_found = false;
    for (const Rule& rule : rules) {
      for (const Rule& member : rule.members)
        is_found = is_found || (rule.key.name == key.substr(0, dot) && member.key.name == key.substr(dot + 1));
    }
    BOOST_TEST(is_found, key);
  }
}

BOOST_AUTO_TEST_CASE(knows_the_choices_of_other_tools) {
  BOOST_TEST(suggest_choice("nvecs", {"random", "hosvd"}) == "hosvd");
  BOOST_TEST(suggest_choice("float32", {"f64", "f32"}) == "f32");
  BOOST_TEST(suggest_choice("nvecs", {"random", "ones"}) == "");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::config
