// compare_to: the components of a run beside those of a reference, for every algorithm whose result is a CP decomposition.
#include "core/session/runs.hpp"

namespace tyto::session {

namespace {

/// Three factors of rank 3 that a run finds again, and the tensor of the first `rank` components.
std::vector<Table> factors() {
  std::vector<Table> all;
  for (const std::int64_t extent : {7, 6, 5}) all.push_back(plain::random({extent, 3}, 20 + static_cast<unsigned>(extent)));
  return all;
}
Table tensor_of(const std::vector<Table>& f) { return plain::contract({{f[0], "ir"}, {f[1], "jr"}, {f[2], "kr"}}, "ijk"); }

/// Writes them under the names of the unknowns and returns the folder.
std::string written_reference(const std::string& name, const std::vector<Table>& f, const std::vector<std::string>& names) {
  const std::string folder = fresh_folder(name);
  for (std::size_t n = 0; n < f.size(); ++n) written(folder, names[n], f[n]);
  return folder;
}

/// The one message about the match.
std::string said(Session session, const Table& x) {
  std::string text;
  session.input("X", ConstArray(x.values.data(), x.extents));
  session.on_message([&](const std::string& message) {
    if (message.find("factor match") == 0) text += message;
  });
  session.run();
  return text;
}

double score_in(const std::string& message) {
  const std::string before = "factor match score ";
  BOOST_REQUIRE_MESSAGE(message.find(before) == 0, message);
  return std::stod(message.substr(before.size()));
}

const std::vector<std::string> of_plugin{"A_0", "A_1", "A_2"}, of_formula{"A", "B", "C"};

}  // namespace

BOOST_AUTO_TEST_SUITE(compare_to)

BOOST_AUTO_TEST_CASE(every_cp_algorithm_and_a_formula_find_the_reference) {
  const std::vector<Table> f = factors();
  const std::string reference = "compare_to: " + written_reference("compared", f, of_plugin) + "\n";
  for (const std::string algorithm : {"cp-als", "cp-gauss-newton", "cp"}) {
    const std::string run = "algorithm: " + algorithm + "\nsettings: {rank: 3}\nsolver: {max_sweeps: 2000, tolerance: 1e-14}\n";
    BOOST_TEST(score_in(said(Session::from_text(run + reference), tensor_of(f))) > 0.9999, algorithm);
  }
  const std::string run =
      "method: gauss-newton\nextents: {r: 3}\nunknowns: {A: {}, B: {}, C: {}}\n"
      "minimize: 0.5 * norm2(X[i,j,k] - A[i,r] * B[j,r] * C[k,r])\n";
  BOOST_TEST(score_in(said(Session::from_text(run + "compare_to: " + written_reference("formula", f, of_formula) + "\n"),
                           tensor_of(f))) > 0.9999);
}

BOOST_AUTO_TEST_CASE(permutation_and_signs_turn_the_result_into_the_reference) {
  const std::vector<Table> f = factors();
  const std::string output = fresh_folder("turned");
  const std::string run =
      "algorithm: cp-gauss-newton\nsettings: {rank: 3}\ncompare_to: " + written_reference("turned_reference", f, of_plugin) +
      "\noutput: {directory: " + output + ", overwrite: true}\n";
  Session session = Session::from_text(run);
  const Table x = tensor_of(f);
  session.input("X", ConstArray(x.values.data(), x.extents));
  const Result r = session.run();
  const std::string json = text_of_file(output + "/result.json");
  std::istringstream lines(json.substr(json.find("\"components\"")));
  std::string line;
  std::getline(lines, line);
  for (int component = 0; component < 3; ++component) {
    std::getline(lines, line);
    int here = -1, there = -1, sign[3] = {};
    BOOST_REQUIRE(std::sscanf(line.c_str(), " {\"column\": %d, \"reference\": %d", &here, &there) == 2);
    const std::string signs = line.substr(line.find("\"signs\""));
    BOOST_REQUIRE(std::sscanf(signs.c_str(), "\"signs\": [%d, %d, %d]", &sign[0], &sign[1], &sign[2]) == 3);
    BOOST_TEST(sign[0] * sign[1] * sign[2] == 1);
    for (std::size_t n = 0; n < 3; ++n) {
      double product = 0;
      const std::vector<double>& a = r.array(of_plugin[n]).values;
      for (std::size_t i = 0; i < a.size() / 3; ++i)
        product += a[i * 3 + static_cast<std::size_t>(here)] * f[n].values[i * 3 + static_cast<std::size_t>(there)];
      BOOST_TEST(sign[n] * product > 0);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_result_of_another_rank_is_matched_as_far_as_it_goes) {
  const std::vector<Table> f = factors();
  const std::string reference = "compare_to: " + written_reference("ranks", f, of_plugin) + "\n";
  const std::string two = said(Session::from_text("algorithm: cp-als\nsettings: {rank: 2}\n" + reference), tensor_of(f));
  BOOST_TEST(score_in(two) < 0.999);
  BOOST_TEST(two.find("columns 0, 1 are ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_run_is_the_match_of_its_own_output_and_may_replace_it) {
  const std::vector<Table> f = factors();
  const std::string folder = fresh_folder("itself"),
                    run = "algorithm: cp-als\nsettings: {rank: 3}\noutput: {directory: " + folder + ", overwrite: true}\n";
  said(Session::from_text(run), tensor_of(f));
  const std::string again = said(Session::from_text(run + "compare_to: " + folder + "\n"), tensor_of(f));
  BOOST_TEST(again == "factor match score 1 with " + folder +
                          " (1 without weights): columns 0, 1, 2 are 0, 1, 2 there, with signs +++, +++, +++");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
