// What a run leaves in its folder, read back.
#include "core/session/runs.hpp"
#include "tensor/read.hpp"

namespace tyto::session {

BOOST_AUTO_TEST_SUITE(files)

BOOST_AUTO_TEST_CASE(unknowns_ktensor_and_history_hold_the_result) {
  const std::string folder = fresh_folder("files");
  const Table x = of_rank({4, 5, 3}, 2, 91, 0.3);
  const Result r =
      cp_als(x, 2, "solver: {starts: 2, max_sweeps: 7, tolerance: 0}\noutput: {directory: " + folder + ", overwrite: true}").run();
  BOOST_TEST(r.folder == folder);
  for (const std::string& name : r.unknowns) {
    const tensor::Dense read = tensor::read_tensor(folder + "/unknowns/" + name + ".npy");
    BOOST_TEST(read.extents() == r.array(name).extents);
    const double* const values = read.view().as<double>();
    BOOST_TEST(std::vector<double>(values, values + read.size()) == r.array(name).values);
  }
  const tensor::Dense whole = tensor::read_tensor(folder + "/ktensor.txt");
  const double* const values = whole.view().as<double>();
  BOOST_TEST(plain::distance(std::vector<double>(values, values + whole.size()), model_of(r).values) <=
             1e-12 * plain::norm(x.values));
  std::istringstream history(text_of_file(folder + "/history.jsonl"));
  std::int64_t lines = 0;
  for (std::string line; std::getline(history, line); ++lines)
    BOOST_TEST(
        line.starts_with("{\"start\": " + std::to_string(lines / 7) + ", \"sweep\": " + std::to_string(lines % 7 + 1) + ", "),
        line);
  BOOST_TEST(lines == 14);
  for (const char* file : {"result.json", "report.html"}) BOOST_TEST(std::filesystem::file_size(folder + "/" + file) > 1000U);
}

BOOST_AUTO_TEST_CASE(a_check_and_a_refused_run_write_nothing) {
  const std::string folder = fresh_folder("nothing") + "/out";
  const Table x = of_rank({4, 5, 3}, 2, 91, 0.3);
  cp_als(x, 2, "output: {directory: " + folder + "}").check();
  BOOST_TEST(!std::filesystem::exists(folder));
  BOOST_CHECK_THROW(cp_als(x, 0, "output: {directory: " + folder + "}").run(), Error);
  BOOST_TEST(!std::filesystem::exists(folder));
}

BOOST_AUTO_TEST_CASE(expectations_that_are_missed_are_told) {
  const Table x = of_rank({4, 5, 3}, 2, 91, 0.3);
  Session session = cp_als(x, 2, "solver: {max_sweeps: 4}\nexpect: {relative_error: 0.9, tolerance: 1e-3}");
  const Result r = session.run();
  BOOST_REQUIRE(session.unmet(r).size() == 1U);
  BOOST_TEST(session.unmet(r)[0].starts_with("relative error is 0."));
  session.set("expect.relative_error", std::to_string(r.relative_error));
  BOOST_TEST(session.unmet(r).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
