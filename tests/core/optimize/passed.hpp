#pragma once
/// One pass on a graph given as text: what comes out, as text and as numbers.
#include <boost/test/unit_test.hpp>
#include "core/optimize/graph_values.hpp"
#include "optimize/pipeline.hpp"

namespace tyto {

struct Passed {
  graph::Graph before, after;
  optimize::Log log;

  std::string text() const { return graph::print(after); }
  bool is_unchanged() const { return after.outputs == before.outputs; }
};

/// The passes of these names, in order. Data does not change.
inline Passed passed(const std::vector<std::string>& passes, const std::string& text) {
  Passed p{graph::parse(text), {}, {}};
  p.after = p.before;
  optimize::Context context;
  context.changes = [store = p.before.store](graph::NodeId id) {
    return graph::as<graph::Leaf>((*store)[id])->role != graph::Role::data;
  };
  for (const std::string& name : passes)
    for (const optimize::Pass& known : optimize::pipeline())
      if (known.name == name) p.after = known.run(p.after, context, p.log);
  BOOST_TEST_REQUIRE(p.after.outputs.size() == p.before.outputs.size());
  graph::verify(p.after);
  return p;
}
inline Passed passed(const std::string& pass, const std::string& text) { return passed(std::vector<std::string>{pass}, text); }

/// The outputs have the structure of this graph, and the values that they had.
inline void check(const Passed& p, const std::string& expected) {
  const graph::Graph wanted = graph::parse(expected);
  BOOST_TEST_REQUIRE(p.after.outputs.size() == wanted.outputs.size());
  for (std::size_t k = 0; k < wanted.outputs.size(); ++k) {
    const bool same = (*p.after.store)[p.after.outputs[k].node].hash == (*wanted.store)[wanted.outputs[k].node].hash;
    BOOST_TEST(same, "output " << wanted.outputs[k].name << "\ngives\n" << p.text() << "instead of\n" << expected);
  }
}

/// The numbers are what they were, on random leaves.
inline void check_values(const Passed& p) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    LeafNumbers leaves(p.before, seed);
    const std::string wrong = difference(Expected(p.before, leaves), values_of(p.after, leaves, reference_executor()));
    BOOST_TEST(wrong.empty(), wrong << "\n" << p.text());
  }
}

inline void check_both(const Passed& p, const std::string& expected) { check(p, expected), check_values(p); }

}  // namespace tyto
