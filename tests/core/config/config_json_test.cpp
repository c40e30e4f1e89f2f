// The complete configuration as JSON.
#include "config/config_json.hpp"

#include <boost/test/unit_test.hpp>

#include "core/config/texts.hpp"

namespace tyto::config {

static const char* const yaml =
    "algorithm: dmrg\n"
    "data: {X: {file: x.npy, shape: [2, 3], mask: {file: m.npy}}}\n"
    "settings: {maxdim: [10, 20], model: {name: heisenberg}}\n"
    "unknowns: {A_0: {ridge: 1e-3, init: {file: c.npy}}}\n"
    "solver: {init: ones, tolerance: 1e-12}\n"
    "output: {formats: npy}\n"
    "expect: {objective: -0.5}\n";

static Schema schema() {
  return {schedule("maxdim", "m"), real("cutoff", "c").otherwise("0"),
          group("model", {text("name", "n"), flag("periodic", "p").otherwise("false")}, "m"),
          groups("terms", {integer("n", "n")}, "t").otherwise("[{n: 1}]")};
}

BOOST_AUTO_TEST_SUITE(config_json)

BOOST_AUTO_TEST_CASE(writes_everything_with_defaults_filled_in) {
  const RunConfig config = run_config(yaml);
  const auto settings = check_settings(config, schema());
  BOOST_TEST(to_json(config, settings.get()) == R"({
  "algorithm": "dmrg",
  "plugin_path": [],
  "data": {
    "X": {
      "file": "x.npy",
      "dense": false,
      "missing": "error",
      "scale": "none",
      "index_base": 1,
      "shape": [2, 3],
      "mask": {
        "file": "m.npy"
      }
    }
  },
  "settings": {
    "maxdim": [10, 20],
    "cutoff": 0,
    "model": {
      "name": "heisenberg",
      "periodic": false
    },
    "terms": [
      {
        "n": 1
      }
    ]
  },
  "unknowns": {
    "A_0": {
      "ridge": 0.001,
      "init": {"file": "c.npy"}
    }
  },
  "solver": {
    "max_sweeps": 500,
    "tolerance": 1e-12,
    "gradient_tolerance": 0,
    "time_limit": 0,
    "seed": 1,
    "init": "ones",
    "starts": 1,
    "require_convergence": false,
    "backend": "auto",
    "krylov": "auto",
    "krylov_tolerance": "auto",
    "krylov_products": 200,
    "minimizer": "auto",
    "eigensolver": "auto",
    "normalize": true,
    "extrapolation": false
  },
  "execution": {
    "executor": "auto",
    "threads": 1,
    "memory_limit": "auto",
    "precision": "f64"
  },
  "plan": {
    "sweeps_per_cycle": "auto",
    "verify": false,
    "switched_off": []
  },
  "output": {
    "formats": ["npy"],
    "overwrite": false,
    "report": true,
    "plots": false,
    "checkpoint": "auto"
  },
  "expect": {
    "objective": -0.5,
    "tolerance": 1e-06
  }
})");
}

BOOST_AUTO_TEST_CASE(reads_back_as_the_same_configuration) {
  const RunConfig config = run_config(yaml);
  const auto settings = check_settings(config, schema());
  const std::string json = to_json(config, settings.get());
  const RunConfig again = run_config(json);
  const auto settings_again = check_settings(again, schema());
  BOOST_TEST(to_json(again, settings_again.get()) == json);
}

BOOST_AUTO_TEST_CASE(leaves_out_settings_that_nobody_checked) {
  const std::string json = to_json(run_config("algorithm: a\nsettings: {rank: 3}\n"), nullptr);
  BOOST_TEST(json.find("settings") == std::string::npos);
  BOOST_TEST(to_json(RunConfig{}, nullptr) == "{}");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::config
