// The kernels of an objective on one tree: as cheap as the cheapest of all trees, and only where they fit one.
#include <boost/test/unit_test.hpp>
#include <random>
#include "core/optimize/graph_values.hpp"
#include "core/optimize/unrooted_trees.hpp"
#include "optimize/contraction_path.hpp"
#include "optimize/message_tree.hpp"

using namespace tyto;

namespace {

/// A scalar product network whose unknowns are updated one after the other, each by the network without its own operands.
struct Sweep {
  struct Operand {
    std::string leaf;
    std::vector<std::string> labels;  // primes for further labels over one dimension
  };
  std::map<std::string, std::int64_t> extents;  // of labels without primes
  std::vector<Operand> operands;
  std::vector<std::string> updated;                              // leaves in order; everything else is data
  std::map<std::string, std::vector<std::string>> kernels = {};  // output labels of an update where they are not those of the leaf

  LeafSet all() const { return (LeafSet{1} << operands.size()) - 1; }
  LeafSet places(const std::string& leaf) const {
    LeafSet set = 0;
    for (std::size_t k = 0; k < operands.size(); ++k)
      if (operands[k].leaf == leaf) set |= LeafSet{1} << k;
    return set;
  }
};

std::string joined(const std::vector<std::string>& labels) { return fmt::format("({})", fmt::join(labels, ",")); }

std::string product_of(const Sweep& s, LeafSet set) {
  std::string text;
  for (std::size_t k = 0; k < s.operands.size(); ++k)
    if ((set >> k & 1) != 0) text += (text.empty() ? "" : "*") + s.operands[k].leaf + joined(s.operands[k].labels);
  return text;
}

std::string text_of(const Sweep& s) {
  std::string dimensions, leaves, kernels;
  for (const auto& [label, extent] : s.extents) dimensions += fmt::format("dimension({}={})\n", label, extent);
  std::set<std::string> seen;
  for (const Sweep::Operand& o : s.operands) {
    if (!seen.insert(o.leaf).second) continue;
    const bool is_unknown = std::find(s.updated.begin(), s.updated.end(), o.leaf) != s.updated.end();
    leaves += fmt::format("{} {}{}\n", is_unknown ? "unknown" : "data", o.leaf, joined(o.labels));
  }
  for (const std::string& leaf : s.updated) {
    const auto given = s.kernels.find(leaf);
    const auto& labels =
        given != s.kernels.end()
            ? given->second
            : std::find_if(s.operands.begin(), s.operands.end(), [&](const auto& o) { return o.leaf == leaf; })->labels;
    kernels +=
        fmt::format("M{}{} = {}\noutput {} = M{}\n", leaf, joined(labels), product_of(s, s.all() & ~s.places(leaf)), leaf, leaf);
  }
  return dimensions + leaves + kernels + fmt::format("f() = {}\noutput f = f\n", product_of(s, s.all()));
}

struct Problem {
  graph::Graph graph;
  optimize::Context context;
  std::vector<plan::Event> cycle;
};

/// Every output in order, each but the last before the leaf of its name changes; the last is the objective.
Problem problem_of(const std::string& text) {
  Problem p{graph::parse(text), {}, {}};
  for (const graph::Output& output : p.graph.outputs) {
    graph::NodeId changes = -1;
    for (const graph::NodeId id : reachable(p.graph))
      if (const auto* leaf = graph::as<graph::Leaf>((*p.graph.store)[id]); leaf != nullptr && leaf->name == output.name)
        changes = id;
    p.context.cycle.push_back({{output.name}, changes});
    p.cycle.push_back({{output.name}, changes});
  }
  p.context.objectives = {p.graph.outputs.back().node};
  p.context.changes = [store = p.graph.store](graph::NodeId id) {
    return graph::as<graph::Leaf>((*store)[id])->role != graph::Role::data;
  };
  return p;
}

graph::Graph with_tree(const Problem& p, optimize::Log& log) {
  return optimize::contraction_path(optimize::message_tree(p.graph, p.context, log), p.context, log);
}

/// Flops of one sweep as planned.
double planned_flops(const Sweep& s) {
  const Problem p = problem_of(text_of(s));
  optimize::Log log;
  const graph::Graph result = with_tree(p, log);
  BOOST_TEST_REQUIRE(!log.rewrites().empty());
  BOOST_TEST(log.near_misses().empty());
  return static_cast<double>(plan::make_plan(result, reference_executor().model(), {.cycle = p.cycle}).cycle_flops);
}

cost::Network network_of(const Sweep& s) {
  cost::Network network;
  std::map<std::string, einsum::Label> numbers;
  for (const Sweep::Operand& o : s.operands) {
    einsum::Labels labels;
    for (const std::string& label : o.labels) {
      const auto [at, is_new] = numbers.try_emplace(label, static_cast<einsum::Label>(numbers.size()));
      if (is_new) network.extents.push_back(s.extents.at(label.substr(0, label.find('\''))));
      labels.push_back(at->second);
    }
    network.subscripts.inputs.push_back(labels);
  }
  return network;
}

/// Of a sweep on this tree once it repeats. The objective is the inner product over the edge of the leaf that was updated last.
double sweep_flops(const Sweep& s, const UnrootedTree& tree, const cost::Network& network) {
  TreeSimulation simulation(tree, network);
  double before = 0;
  for (int sweep = 0; sweep < 3; ++sweep) {
    before = simulation.flops;
    for (const std::string& leaf : s.updated) {
      simulation.need(s.all() & ~s.places(leaf));
      simulation.change(s.places(leaf));
    }
    const LeafSet last = s.places(s.updated.back());
    simulation.need(last), simulation.need(s.all() & ~last);
    simulation.flops += flops_of_pair(labels_of_set(network.subscripts, last), labels_of_set(network.subscripts, s.all() & ~last),
                                      {}, network.extents);
  }
  return simulation.flops - before;
}

/// The least of all trees that have an edge for every update. Leaves that stand twice are joined first: trees over the groups.
double least_flops(const Sweep& s) {
  const cost::Network network = network_of(s);
  std::vector<LeafSet> groups;
  for (std::size_t k = 0; k < s.operands.size(); ++k) {
    const LeafSet group = s.places(s.operands[k].leaf);
    if (std::countr_zero(group) == static_cast<int>(k)) groups.push_back(group);
  }
  double least = 1e300;
  UnrootedTrees(groups.size(), [&](const UnrootedTree& over_groups) {
    UnrootedTree tree;
    for (const auto& vertex : over_groups) {
      std::array<LeafSet, 3> parts{};
      for (std::size_t p = 0; p < 3; ++p)
        for (std::size_t g = 0; g < groups.size(); ++g)
          if ((vertex.at(p) >> g & 1) != 0) parts.at(p) |= groups[g];
      tree.push_back(parts);
    }
    for (const LeafSet group : groups)
      if (!std::has_single_bit(group)) tree.push_back({group & (~group + 1), group & (group - 1), s.all() & ~group});
    least = std::min(least, sweep_flops(s, tree, network));
  });
  return least;
}

struct Random {
  explicit Random(std::uint64_t seed) : engine(seed) {}
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(engine);
  }
  std::mt19937_64 engine;
};

/// Data times factors: X(i0,...)*A0(i0,r)*...
Sweep cp_data(std::int64_t order, Random& random) {
  Sweep s;
  s.extents["r"] = random.between(1, 12);
  s.operands.push_back({"X", {}});
  for (std::int64_t n = 0; n < order; ++n) {
    const std::string label = fmt::format("i{}", n), name = fmt::format("A{}", n);
    s.extents[label] = random.between(1, 30);
    s.operands[0].labels.push_back(label);
    s.operands.push_back({name, {label, "r"}});
    s.updated.push_back(name);
  }
  return s;
}

/// Every factor twice: A0(i0,r)*A0(i0,r')*...
Sweep cp_grams(std::int64_t order, Random& random) {
  Sweep s;
  s.extents["r"] = random.between(1, 12);
  for (std::int64_t n = 0; n < order; ++n) {
    const std::string label = fmt::format("i{}", n), name = fmt::format("A{}", n);
    s.extents[label] = random.between(1, 30);
    s.operands.push_back({name, {label, "r"}});
    s.operands.push_back({name, {label, "r'"}});
    s.updated.push_back(name);
    s.kernels[name] = {"r", "r'"};
  }
  return s;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_data_network_of_cp_is_as_cheap_as_the_best_tree) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    const Sweep s = cp_data(3 + static_cast<std::int64_t>(seed % 3), random);
    BOOST_TEST(planned_flops(s) == least_flops(s), "seed " << seed << ": " << planned_flops(s) << " flop instead of "
                                                           << least_flops(s) << "\n"
                                                           << text_of(s));
  }
}

BOOST_AUTO_TEST_CASE(the_gram_network_of_cp_is_as_cheap_as_the_best_tree) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    const Sweep s = cp_grams(3 + static_cast<std::int64_t>(seed % 3), random);
    BOOST_TEST(planned_flops(s) == least_flops(s), "seed " << seed << ": " << planned_flops(s) << " flop instead of "
                                                           << least_flops(s) << "\n"
                                                           << text_of(s));
  }
}

BOOST_AUTO_TEST_CASE(a_tucker_objective_is_as_cheap_as_the_best_tree) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(seed);
    Sweep s{.extents = {}, .operands = {{"X", {"i0", "i1", "i2"}}, {"G", {"r0", "r1", "r2"}}}, .updated = {"G"}};
    for (int n = 0; n < 3; ++n) {
      const std::string mode = fmt::format("i{}", n), rank = fmt::format("r{}", n), name = fmt::format("U{}", n);
      s.extents[mode] = random.between(2, 20), s.extents[rank] = random.between(1, 6);
      s.operands.push_back({name, {mode, rank}});
      s.updated.push_back(name);
    }
    BOOST_TEST(planned_flops(s) == least_flops(s), "seed " << seed << "\n" << text_of(s));
  }
}

BOOST_AUTO_TEST_CASE(a_tensor_train_is_as_cheap_as_the_best_tree) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(seed);
    Sweep s{.extents = {{"i", random.between(2, 9)},
                        {"j", random.between(2, 9)},
                        {"k", random.between(2, 9)},
                        {"l", random.between(2, 9)}},
            .operands =
                {{"X", {"i", "j", "k", "l"}}, {"A", {"i", "a"}}, {"B", {"a", "j", "b"}}, {"C", {"b", "k", "c"}}, {"D", {"c", "l"}}},
            .updated = {"A", "B", "C", "D"}};
    for (const char* bond : {"a", "b", "c"}) s.extents[bond] = random.between(1, 5);
    BOOST_TEST(planned_flops(s) == least_flops(s), "seed " << seed << "\n" << text_of(s));
    Sweep back = s;
    back.updated = {"D", "C", "B", "A"};
    BOOST_TEST(planned_flops(back) == least_flops(back), "seed " << seed << " backwards");
    Sweep normal{.extents = s.extents, .operands = {}, .updated = s.updated};
    for (std::size_t k = 1; k < s.operands.size(); ++k) {
      Sweep::Operand twin = s.operands[k];
      std::vector<std::string> bonds, all;
      for (std::string& label : twin.labels)
        if (label < "d") bonds.push_back(label), label += "'", all.push_back(label);
      bonds.insert(bonds.end(), all.begin(), all.end());
      normal.operands.push_back(s.operands[k]), normal.operands.push_back(twin);
      normal.kernels[twin.leaf] = bonds;
    }
    BOOST_TEST(planned_flops(normal) == least_flops(normal), "seed " << seed << "\n" << text_of(normal));
  }
}

BOOST_AUTO_TEST_CASE(an_axis_that_only_one_operand_has_is_paid_for) {
  const Sweep s{.extents = {{"i", 40}, {"j", 3}, {"k", 4}, {"r", 2}},
                .operands = {{"X", {"i", "j", "k"}}, {"A", {"j", "r"}}, {"B", {"k", "r"}}, {"C", {"r"}}},
                .updated = {"A", "B", "C"}};
  BOOST_TEST(planned_flops(s) == least_flops(s), planned_flops(s) << " flop instead of " << least_flops(s));
}

BOOST_AUTO_TEST_CASE(kernels_that_leave_out_crossing_sets_keep_their_values) {
  Problem p = problem_of(
      "data X(i=3,j=4,k=2,l=3)\n"
      "unknown A(i,r=2) B(j,r) C(k,r) D(l,r)\n"
      "P(i,j,r) = X(i,j,k,l)*C(k,r)*D(l,r)\n"
      "Q(j,k,r) = X(i,j,k,l)*A(i,r)*D(l,r)\n"
      "R(l,r) = X(i,j,k,l)*A(i,r)*B(j,r)*C(k,r)\n"
      "f() = X(i,j,k,l)*A(i,r)*B(j,r)*C(k,r)*D(l,r)\n"
      "output A = P\noutput B = Q\noutput D = R\noutput f = f\n");
  optimize::Log log;
  const graph::Graph result = with_tree(p, log);
  BOOST_TEST(log.near_misses() ==
                 std::vector<std::string>{"a kernel is cheaper on a path of its own than by the messages that others have"},
             boost::test_tools::per_element());
  LeafNumbers leaves(p.graph, 1);
  BOOST_TEST(difference(Expected(p.graph, leaves), values_of(result, leaves, reference_executor())) == "");
}

BOOST_AUTO_TEST_CASE(a_network_above_the_limit_is_said_and_left_alone) {
  std::string text = "unknown";
  std::string product;
  for (int k = 0; k < 1025; ++k) {
    text += fmt::format(" A{}(i{}=2)", k, k);
    product += fmt::format("{}A{}(i{})", k == 0 ? "" : "*", k, k);
  }
  const Problem p = problem_of(text + "\nf() = " + product + "\noutput f = f\n");
  optimize::Log log;
  BOOST_TEST((optimize::message_tree(p.graph, p.context, log).outputs == p.graph.outputs));
  BOOST_TEST(log.near_misses() == std::vector<std::string>{"a product of 1025 operands is above 1024; its kernels share no tree"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_product_with_another_tensor_in_the_place_of_one_takes_messages_of_others) {
  // D stands where B was: X C is there from the kernel of A, and serves it too.
  Problem p = problem_of(
      "data X(i=20,j=30,k=40)\nunknown A(i,r=3) B(j,r) C(k,r) D(j,r)\n"
      "MA(i,r) = X(i,j,k)*B(j,r)*C(k,r)\nMB(j,r) = X(i,j,k)*A(i,r)*C(k,r)\nMD(i,r) = X(i,j,k)*D(j,r)*C(k,r)\n"
      "f() = X(i,j,k)*A(i,r)*B(j,r)*C(k,r)\noutput A = MA\noutput B = MB\noutput D = MD\noutput f = f\n");
  optimize::Log log;
  const graph::Graph result = with_tree(p, log);
  int with_data = 0;
  for (const graph::NodeId id : reachable(result))
    for (const graph::NodeId operand : (*result.store)[id].operands)
      if (const auto* leaf = graph::as<graph::Leaf>((*result.store)[operand]); leaf != nullptr && leaf->name == "X") ++with_data;
  BOOST_TEST(with_data == 1);
  LeafNumbers leaves(p.graph, 1);
  BOOST_TEST(difference(Expected(p.graph, leaves), values_of(result, leaves, reference_executor())) == "");
}

BOOST_AUTO_TEST_CASE(without_a_cycle_every_unknown_changes_between_rounds) {
  Problem p = problem_of(
      "data X(i=20,j=30,k=40)\nunknown A(i,r=3) B(j,r) C(k,r)\n"
      "MA(i,r) = X(i,j,k)*B(j,r)*C(k,r)\nMB(j,r) = X(i,j,k)*A(i,r)*C(k,r)\nMC(k,r) = X(i,j,k)*A(i,r)*B(j,r)\n"
      "f() = X(i,j,k)*A(i,r)*B(j,r)*C(k,r)\noutput A = MA\noutput B = MB\noutput C = MC\noutput f = f\n");
  p.context.cycle.clear();
  optimize::Log log;
  const graph::Graph result = with_tree(p, log);
  int with_data = 0;  // all at once: the data is contracted twice, not three times
  for (const graph::NodeId id : reachable(result))
    for (const graph::NodeId operand : (*result.store)[id].operands)
      if (const auto* leaf = graph::as<graph::Leaf>((*result.store)[operand]); leaf != nullptr && leaf->name == "X") ++with_data;
  BOOST_TEST(with_data == 2);
}

namespace {

/// A scalar network of a few small tensors, some of them several times, and products that lack operands of it and have others
/// instead; all labels are over one dimension, so that any two may be joined.
std::string random_kernels(Random& random) {
  const auto labels = [&](std::int64_t count) {
    std::vector<std::string> all;
    for (std::int64_t k = 0; k < 7; ++k) all.push_back("a" + std::string(static_cast<std::size_t>(k), '\''));
    std::shuffle(all.begin(), all.end(), random.engine);
    all.resize(static_cast<std::size_t>(count));
    return all;
  };
  std::vector<std::size_t> orders;  // of the leaves A0, A1, ...
  std::string text = "dimension(a=2)\nunknown";
  for (int leaf = 0; leaf < 5; ++leaf) {
    orders.push_back(static_cast<std::size_t>(random.between(1, 3)));
    text += fmt::format(" A{}{}", leaf, joined(labels(static_cast<std::int64_t>(orders.back()))));
  }
  std::vector<std::string> factors;
  std::vector<std::vector<std::string>> axes;
  for (std::int64_t k = random.between(4, 12); k > 0; --k) {
    const auto leaf = static_cast<std::size_t>(random.between(0, 4));
    axes.push_back(labels(static_cast<std::int64_t>(orders[leaf])));
    factors.push_back(fmt::format("A{}{}", leaf, joined(axes.back())));
  }
  text += "\n";
  std::string outputs;
  for (int kernel = 0; kernel < 5; ++kernel) {
    std::vector<std::string> kept;
    std::set<std::string> open;
    for (std::size_t k = 0; k < factors.size(); ++k) {
      if (random.between(0, 4) == 0) continue;
      kept.push_back(factors[k]);
      open.insert(axes[k].begin(), axes[k].end());
    }
    if (kept.empty()) continue;
    if (random.between(0, 1) == 0) {
      const std::vector<std::string> other = labels(random.between(1, 3));
      text += fmt::format("unknown V{}{}\n", kernel, joined(other));
      kept.push_back(fmt::format("V{}{}", kernel, joined(other)));
      open.insert(other.begin(), other.end());
    }
    std::vector<std::string> result;
    for (const std::string& label : open)
      if (random.between(0, 1) == 0) result.push_back(label);
    std::shuffle(result.begin(), result.end(), random.engine);
    std::shuffle(kept.begin(), kept.end(), random.engine);
    outputs += fmt::format("K{0}{1} = {2}\noutput A{0} = K{0}\n", kernel, joined(result), fmt::join(kept, "*"));
  }
  return text + outputs + fmt::format("f() = {}\noutput f = f\n", fmt::join(factors, "*"));
}

}  // namespace

BOOST_AUTO_TEST_CASE(random_kernels_keep_their_values) {
  int with_trees = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Random random(seed);
    const Problem p = problem_of(random_kernels(random));
    optimize::Log log;
    const graph::Graph result = with_tree(p, log);
    if (std::any_of(log.rewrites().begin(), log.rewrites().end(), [](const std::string& s) { return s.starts_with("one tree"); }))
      ++with_trees;
    LeafNumbers leaves(p.graph, seed);
    BOOST_TEST(difference(Expected(p.graph, leaves), values_of(result, leaves, reference_executor())) == "", "seed " << seed);
  }
  BOOST_TEST(with_trees > 25);  // or the test would test nothing
}
