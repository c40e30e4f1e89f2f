"""That check_layers.py catches what it is for: small trees, each with one fault."""
import tempfile
import unittest
from pathlib import Path

import check_layers

LAYERS = """# a comment
api:   []
error: [api]   # with a remark
graph: [api, error]
plan:  [graph, api, error]
plan/deep: [plan, api]
never: [graph->plan]
"""


class CheckLayers(unittest.TestCase):
    def check(self, files, *expected, layers=LAYERS):
        with tempfile.TemporaryDirectory() as name:
            tree = Path(name)
            for path, text in {"core/layers.yaml": layers, "core/graph/node.hpp": "", **files}.items():
                (tree / path).parent.mkdir(parents=True, exist_ok=True)
                (tree / path).write_text(text)
            self.assertEqual(list(check_layers.faults(tree)), list(expected))

    def test_accepts_what_is_declared(self):
        self.check({
            "core/graph/store.cpp": '#include "tyto/expr.hpp"\n#include "error/fail.hpp"\n#include "graph/node.hpp"\n#include <vector>\n',
            "core/plan/a.hpp": '#include "graph/node.hpp"\n#include <fmt/format.h>\n#include <graph>\n',
            "core/plan/deep/b.hpp": '#include "plan/a.hpp"\n#include "plan/deep/c.hpp"\n',
            "apps/tyto/main.cpp": '#include "tyto/session.hpp"\n#include "progress.hpp"\n#include <iostream>\n',
            "plugins/cp/cp.cpp": '#include "tyto/plugin.hpp"\n',
        })

    def test_catches_an_undeclared_folder(self):
        self.check({"core/extra/a.hpp": ""}, "core/extra/a.hpp: its folder is not declared in core/layers.yaml")

    def test_catches_a_file_outside_all_folders(self):
        self.check({"core/a.hpp": ""}, "core/a.hpp: its folder is not declared in core/layers.yaml")

    def test_catches_an_undeclared_edge(self):
        self.check({"core/graph/b.hpp": '\n#include "plan/a.hpp"\n'}, "core/graph/b.hpp:2: 'graph' may not include 'plan'")

    def test_an_edge_is_not_inherited(self):
        self.check({"core/plan/deep/b.hpp": '#include "graph/node.hpp"\n'}, "core/plan/deep/b.hpp:1: 'plan/deep' may not include 'graph'")

    def test_catches_an_edge_written_with_angles(self):
        self.check({"core/error/b.cpp": " # include <graph/node.hpp>\n"}, "core/error/b.cpp:1: 'error' may not include 'graph'")

    def test_catches_a_public_header_that_includes_the_core(self):
        self.check({"core/api/tyto/x.hpp": '#include "error/fail.hpp"\n'}, "core/api/tyto/x.hpp:1: 'api' may not include 'error'")

    def test_catches_an_include_of_an_undeclared_folder(self):
        self.check({"core/extra/a.txt": "", "core/plan/b.hpp": '#include "extra/a.hpp"\n'}, "core/plan/b.hpp:1: 'plan' may not include 'extra'")

    def test_catches_a_relative_include(self):
        text = 'is relative; write "folder/file.hpp" from core/'
        self.check({"core/graph/b.hpp": '#include "../plan/a.hpp"\n#include "./c.hpp"\n'},
                   f'core/graph/b.hpp:1: "../plan/a.hpp" {text}', f'core/graph/b.hpp:2: "./c.hpp" {text}')

    def test_catches_an_include_without_folder(self):
        self.check({"core/graph/b.hpp": '#include "node.hpp"\n'},
                   'core/graph/b.hpp:1: "node.hpp" is in no folder of core/; quotes are for those, <> for everything else')

    def test_catches_an_own_header_that_is_not_first(self):
        self.check({"core/graph/node.cpp": '#include <vector>\n#include "graph/node.hpp"\n'},
                   'core/graph/node.cpp: its own header "graph/node.hpp" comes first')

    def test_catches_a_cycle(self):
        self.check({}, "core/layers.yaml: cycle api -> graph -> error -> api", "core/layers.yaml: cycle error -> api -> graph -> error",
                   "core/layers.yaml: cycle graph -> error -> api -> graph", layers="api: [graph]\nerror: [api]\ngraph: [error]\n")

    def test_catches_a_forbidden_reach_over_several_edges(self):
        self.check({}, "core/layers.yaml: 'plan' must never reach 'api', but does: plan -> graph -> api",
                   layers="api: []\ngraph: [api]\nplan: [graph]\nnever: [api->plan, plan->api]\n")

    def test_catches_an_edge_to_nothing(self):
        self.check({}, "core/layers.yaml: 'graph' may include 'nothing', which is not declared", layers="graph: [nothing]\n")

    def test_catches_a_line_it_does_not_understand(self):
        self.check({}, "core/layers.yaml:1: expected 'folder: [folder, ...]'", "core/layers.yaml:3: 'graph' is declared twice",
                   layers="graph []\ngraph: []\ngraph: []\n")

    def test_catches_the_core_in_plugins_and_apps(self):
        self.check({"plugins/cp/cp.cpp": '#include <graph/node.hpp>\n#include "../other.hpp"\n',
                    "apps/tyto/main.cpp": '\n#include "graph/node.hpp"\n'},
                   "apps/tyto/main.cpp:2: 'apps' may include public headers (tyto/...) only, not 'graph/node.hpp'",
                   "plugins/cp/cp.cpp:1: 'plugins' may include public headers (tyto/...) only, not 'graph/node.hpp'",
                   'plugins/cp/cp.cpp:2: "../other.hpp" is relative')


if __name__ == "__main__":
    unittest.main()
