#include "result/write.hpp"
#include "core/result/records.hpp"
#include <boost/test/unit_test.hpp>
#include <limits>

using namespace tyto;
using namespace tyto::result;

BOOST_AUTO_TEST_SUITE(summary)

BOOST_AUTO_TEST_CASE(every_key_of_a_small_record_is_written) {
  Record record = small_cp();
  record.result.observed = {"energy", "spectrum"};
  record.result.values["energy"] = {{}, {}, {-1.5}};
  record.result.values["spectrum"] = {{2}, {"n"}, {1, 2}};
  record.result.warnings = {"a \"warning\""};
  record.result.unknowns = {"A"};
  record.started_at = "2025-01-30T14:02:11Z";
  record.host = {{"processor", "P"}};
  const std::string expected = R"({
  "schema": 1,
  "status": "converged",
  "reason": "relative change 1e-13 < 1e-12",
  "objective": 0.5,
  "relative_error": 0.25,
  "fit": 0.75,
  "explained_variance": 0.9375,
  "sweeps": 2,
  "seconds": 0.125,
  "seed": 7,
  "algorithm": "cp-als",
  "versions": {
    "tyto": "0.1.0",
    "cp-als": "1.0.0"
  },
  "executor": "cpu",
  "threads": 1,
  "started_at": "2025-01-30T14:02:11Z",
  "host": {
    "processor": "P"
  },
  "data": [
    {
      "name": "X",
      "file": "x.npy",
      "shape": [2, 3, 4],
      "labels": ["i", "j", "k"],
      "norm": 10
    }
  ],
  "unknowns": [
    {
      "name": "A",
      "file": "unknowns/A.npy",
      "shape": [2, 2],
      "labels": ["i", "r"]
    }
  ],
  "observed": {
    "energy": -1.5,
    "spectrum": {
      "file": "observed/spectrum.npy",
      "shape": [2],
      "labels": ["n"]
    }
  },
  "best_start": 0,
  "starts": [
    {
      "start": 0,
      "objective": 0.5,
      "relative_error": 0.25,
      "sweeps": 2,
      "status": "converged",
      "reason": "relative change 1e-13 < 1e-12"
    }
  ],
  "warnings": [
    "a \"warning\""
  ],
  "config": {
    "algorithm": "cp-als"
  }
}
)";
  BOOST_TEST(result_json(record) == expected);
}

BOOST_AUTO_TEST_CASE(a_cp_result_has_its_weights) {
  Record record = small_cp();
  for (auto& [name, a] : record.result.values) a.values.assign(a.values.size(), 0);
  record.result.values["A"].values[0] = 2;
  record.result.values["B"].values[0] = -3;
  record.result.values["C"].values[0] = 4;
  BOOST_TEST(result_json(record).find("  \"weights\": [24, 0],\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_is_not_finite_or_not_known_is_null) {
  Record record = small_cp();
  record.result.objective = std::numeric_limits<double>::infinity();
  record.result.relative_error = -1;
  record.config.clear();
  const std::string json = result_json(record);
  BOOST_TEST(
      json.find("  \"objective\": null,\n  \"relative_error\": null,\n  \"fit\": null,\n  \"explained_variance\": null,\n") !=
      std::string::npos);
  BOOST_TEST(json.find("  \"config\": null\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(every_outcome_has_one_of_six_names) {
  const std::vector<std::pair<Stop, std::string>> names = {{Stop::converged, "converged"}, {Stop::sweep_limit, "limit"},
                                                           {Stop::time_limit, "limit"},    {Stop::interrupted, "interrupted"},
                                                           {Stop::stalled, "stalled"},     {Stop::degenerate, "degenerate"},
                                                           {Stop::failed, "failed"}};
  for (const auto& [stop, name] : names) BOOST_TEST(status_name(stop) == name);
}

BOOST_AUTO_TEST_SUITE_END()
