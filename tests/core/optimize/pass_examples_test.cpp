// The before and after graphs in the headers of passes are executed: what a header says is what the pass does.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include "graph/text.hpp"
#include "optimize/pipeline.hpp"

using namespace tyto;

namespace {

struct Example {
  std::string before, after;
};

Example example_of(const std::string& header) {
  std::ifstream file(std::string(TYTO_SOURCE_DIR) + "/core/optimize/" + header + ".hpp");
  BOOST_REQUIRE_MESSAGE(file, "no header " << header);
  Example example;
  std::string* part = nullptr;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("/// before:")) part = &example.before;
    else if (line.starts_with("/// after:")) part = &example.after;
    else if (part != nullptr && line.starts_with("///     ")) *part += line.substr(8) + "\n";
    else part = nullptr;
  }
  BOOST_REQUIRE_MESSAGE(!example.before.empty() && !example.after.empty(), "no example in the header " << header);
  return example;
}

graph::NodeId leaf_named(const graph::Graph& graph, const std::string& name) {
  for (const graph::NodeId id : reachable(graph))
    if (const auto* leaf = graph::as<graph::Leaf>((*graph.store)[id]); leaf != nullptr && leaf->name == name) return id;
  BOOST_FAIL("no leaf " << name);
  return -1;
}

/// Data does not change; the example of message_tree has a cycle.
optimize::Context context_of(const std::string& header, const graph::Graph& graph) {
  optimize::Context context;
  context.changes = [&graph](graph::NodeId id) { return graph::as<graph::Leaf>((*graph.store)[id])->role != graph::Role::data; };
  if (header != "message_tree") return context;
  for (const std::string name : {"A", "B", "C"}) context.cycle.push_back({{name}, leaf_named(graph, name)});
  context.cycle.push_back({{"f"}, -1});
  context.objectives = {graph.outputs.back().node};
  return context;
}

void check(const optimize::Pass& pass, const std::string& header) {
  const Example example = example_of(header);
  const graph::Graph before = graph::parse(example.before), after = graph::parse(example.after);
  optimize::Log log;
  const graph::Graph result = pass.run(before, context_of(header, before), log);
  BOOST_REQUIRE_EQUAL(result.outputs.size(), after.outputs.size());
  for (std::size_t k = 0; k < after.outputs.size(); ++k) {
    const bool same = (*result.store)[result.outputs[k].node].hash == (*after.store)[after.outputs[k].node].hash;
    BOOST_CHECK_MESSAGE(same, header << ", output " << after.outputs[k].name << "\ngives\n"
                                     << graph::print(result) << "instead of\n"
                                     << graph::print(after));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_pass_does_what_its_header_shows) {
  for (const optimize::Pass& pass : optimize::pipeline()) check(pass, pass.name);
}

BOOST_AUTO_TEST_CASE(networks_that_nobody_names_have_the_trees_that_their_header_shows) {
  for (const optimize::Pass& pass : optimize::pipeline())
    if (pass.name == "message_tree") check(pass, "inferred_networks");
}
