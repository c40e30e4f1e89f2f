#pragma once
/// Networks of many operands with the kernels of an algorithm, and what the algorithm costs when somebody writes it by hand.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include "graph/text.hpp"
#include "optimize/pass.hpp"
#include "plan/plan.hpp"

namespace tyto {

struct NetworkProblem {
  graph::Graph graph;
  optimize::Context context;
  std::vector<plan::Event> cycle = {};
};

/// All outputs are asked for together, then every unknown changes.
inline void ask_for_all_together(NetworkProblem& p) {
  p.cycle.assign(1, {});
  for (const graph::Output& output : p.graph.outputs) p.cycle[0].outputs.push_back(output.name);
  for (const graph::NodeId id : reachable(p.graph))
    if (graph::is<graph::Leaf>((*p.graph.store)[id])) p.cycle.push_back({{}, id});
  for (const plan::Event& event : p.cycle) p.context.cycle.push_back({event.outputs, event.changes});
}

/// A product as it is written: "A1(s1,a1)" and so on.
using Factors = std::vector<std::string>;

/// Reads a graph whose last output, the objective, is no output any more.
inline NetworkProblem network_problem(const std::string& text) {
  NetworkProblem p{graph::parse(text), {}, {}};
  p.context.objectives = {p.graph.outputs.back().node};
  p.graph.outputs.pop_back();
  return p;
}

/// <psi|H|psi> of a matrix product state, bonds as wide as they can be up to `bond`.
struct Chain {
  int sites, bond, operator_bond, extent;
  int products = 1;  ///< at each bond, each time that a sweep comes there

  /// Of the bond right of site k, sites from 1 on; 1 at the ends.
  double width(int k) const { return std::min<double>(bond, std::pow(static_cast<double>(extent), std::min(k, sites - k))); }
  double operator_width(int k) const { return k == 0 || k == sites ? 1 : operator_bond; }
};

inline std::string bond_labels(const Chain& c, int k, const std::string& left, const std::string& middle,
                               const std::string& right) {
  std::vector<std::string> labels;
  if (k > 1) labels.push_back(left);
  labels.push_back(middle);
  if (k < c.sites) labels.push_back(right);
  return fmt::format("({})", fmt::join(labels, ","));
}
inline std::string ket(const Chain& c, int k) {
  return fmt::format("A{}", k) + bond_labels(c, k, fmt::format("a{}", k - 1), fmt::format("s{}", k), fmt::format("a{}", k));
}
inline std::string bra(const Chain& c, int k) {
  return fmt::format("A{}", k) + bond_labels(c, k, fmt::format("a{}'", k - 1), fmt::format("s{}'", k), fmt::format("a{}'", k));
}
inline std::string site_operator(const Chain& c, int k) {
  return fmt::format("W{}", k) + bond_labels(c, k, fmt::format("w{}", k - 1), fmt::format("s{0}',s{0}", k), fmt::format("w{}", k));
}
/// The labels of two sites in one, k and its right neighbour.
inline std::string two_sites(const Chain& c, int k, const std::string& prime) {
  std::vector<std::string> labels;
  if (k > 1) labels.push_back(fmt::format("a{}{}", k - 1, prime));
  labels.push_back(fmt::format("s{}{}", k, prime)), labels.push_back(fmt::format("s{}{}", k + 1, prime));
  if (k + 1 < c.sites) labels.push_back(fmt::format("a{}{}", k + 1, prime));
  return fmt::format("({})", fmt::join(labels, ","));
}

inline std::string chain_declarations(const Chain& c) {
  std::string text;
  for (int k = 1; k < c.sites; ++k)
    text += fmt::format("dimension(a{}={})\ndimension(w{}={})\n", k, c.width(k), k, c.operator_bond);
  for (int k = 1; k <= c.sites; ++k) text += fmt::format("dimension(s{}={})\n", k, c.extent);
  for (int k = 1; k <= c.sites; ++k) text += fmt::format("data {}\nunknown {}\n", site_operator(c, k), ket(c, k));
  return text;
}
inline std::string whole_chain(const Chain& c) {
  Factors whole;
  for (int k = 1; k <= c.sites; ++k) whole.push_back(ket(c, k)), whole.push_back(site_operator(c, k)), whole.push_back(bra(c, k));
  return fmt::format("f() = {}\noutput f = f\n", fmt::join(whole, "*"));
}
inline graph::NodeId leaf_named(const NetworkProblem& p, const std::string& name) {
  for (const graph::NodeId id : reachable(p.graph))
    if (const auto* leaf = graph::as<graph::Leaf>((*p.graph.store)[id]); leaf != nullptr && leaf->name == name) return id;
  return -1;
}

/// One sweep to the right and back. At each bond v -> H v is asked for some times, then both sites change.
inline NetworkProblem two_site_sweep(const Chain& c) {
  std::string text = chain_declarations(c);
  for (int k = 1; k < c.sites; ++k) text += fmt::format("unknown v{}{}\n", k, two_sites(c, k, ""));
  for (int bond = 1; bond < c.sites; ++bond) {
    Factors factors{fmt::format("v{}{}", bond, two_sites(c, bond, ""))};
    for (int k = 1; k <= c.sites; ++k) {
      factors.push_back(site_operator(c, k));
      if (k != bond && k != bond + 1) factors.push_back(ket(c, k)), factors.push_back(bra(c, k));
    }
    text += fmt::format("H{0}{1} = {2}\noutput H{0} = H{0}\n", bond, two_sites(c, bond, "'"), fmt::join(factors, "*"));
  }
  NetworkProblem p = network_problem(text + whole_chain(c));
  const auto visit = [&](int bond) {
    const std::string name = fmt::format("H{}", bond);
    for (int product = 0; product < c.products; ++product) p.cycle.push_back({{name}, leaf_named(p, fmt::format("v{}", bond))});
    for (const int site : {bond, bond + 1}) p.cycle.push_back({{}, leaf_named(p, fmt::format("A{}", site))});
  };
  for (int bond = 1; bond < c.sites; ++bond) visit(bond);
  for (int bond = c.sites - 1; bond > 0; --bond) visit(bond);
  for (const plan::Event& event : p.cycle) p.context.cycle.push_back({event.outputs, event.changes});
  return p;
}

/// One sweep to the right and back. At each site the gradient by its bra is asked for, then the site changes.
inline NetworkProblem single_site_sweep(const Chain& c) {
  std::string text = chain_declarations(c);
  for (int left_out = 1; left_out <= c.sites; ++left_out) {
    Factors factors;
    for (int k = 1; k <= c.sites; ++k) {
      factors.push_back(ket(c, k)), factors.push_back(site_operator(c, k));
      if (k != left_out) factors.push_back(bra(c, k));
    }
    text += fmt::format("G{0}{1} = {2}\noutput G{0} = G{0}\n", left_out, bra(c, left_out).substr(bra(c, left_out).find('(')),
                        fmt::join(factors, "*"));
  }
  NetworkProblem p = network_problem(text + whole_chain(c));
  const auto visit = [&](int k) { p.cycle.push_back({{fmt::format("G{}", k)}, leaf_named(p, fmt::format("A{}", k))}); };
  for (int k = 1; k < c.sites; ++k) visit(k);
  for (int k = c.sites; k > 1; --k) visit(k);
  for (const plan::Event& event : p.cycle) p.context.cycle.push_back({event.outputs, event.changes});
  return p;
}

/// Of growing an environment by a site: L A, (L A) W, (L A W) A; the first one is A W, (A W) A. With bonds a and b beside the site,
/// operator bonds w and y, the outer ones last, and sites of extent d.
inline double growth_flops(double a, double b, double w, double y, double d, bool is_first) {
  return (is_first ? 0 : 2 * a * a * w * d * b) + 2 * a * b * w * d * d * y + 2 * a * b * b * d * y;
}
/// Of the environments on the left of all sites up to `last`, and of those on the right down to `first`.
inline double environments_flops(const Chain& c, int last, int first) {
  double flops = 0;
  for (int k = 1; k < last; ++k)
    flops += growth_flops(c.width(k - 1), c.width(k), c.operator_width(k - 1), c.operator_width(k), c.extent, k == 1);
  for (int k = c.sites; k > first; --k)
    flops += growth_flops(c.width(k), c.width(k - 1), c.operator_width(k), c.operator_width(k - 1), c.extent, k == c.sites);
  return flops;
}

/// Each environment grows by one site once in each direction; each product is L v, W, W, R.
inline double two_site_flops(const Chain& c) {
  const double d = c.extent;
  double flops = environments_flops(c, c.sites - 1, 2);
  for (int bond = 1; bond < c.sites; ++bond) {
    const double a = c.width(bond - 1), b = c.width(bond + 1), w = c.operator_width(bond - 1), x = c.operator_width(bond),
                 y = c.operator_width(bond + 1);
    double product = 2 * a * b * d * d * d * w * x + 2 * a * b * d * d * d * x * y;
    if (bond > 1) product += 2 * a * a * w * d * d * b;
    if (bond + 1 < c.sites) product += 2 * a * d * d * b * y * b;
    flops += 2 * c.products * product;
  }
  return flops;
}

/// Each environment grows by one site once in each direction; each gradient is L A, W, R.
inline double single_site_flops(const Chain& c) {
  const double d = c.extent;
  double flops = environments_flops(c, c.sites, 1);
  for (int k = 1; k <= c.sites; ++k) {
    const double a = c.width(k - 1), b = c.width(k), w = c.operator_width(k - 1), y = c.operator_width(k);
    double gradient = 2 * a * b * d * d * w * y;
    if (k > 1) gradient += 2 * a * a * w * d * b;
    if (k < c.sites) gradient += 2 * a * d * b * y * b;
    flops += (k == 1 || k == c.sites ? 1 : 2) * gradient;
  }
  return flops;
}

/// <psi|psi> of a state on a binary tree: leaves T(up, site), inner tensors T(up, left, right), a root T(left, right).
struct TreeNetwork {
  int levels, bond, extent;
  int count() const { return (1 << levels) - 1; }  ///< node k has children 2k and 2k+1, the root is 1
  bool is_leaf(int k) const { return 2 * k > count(); }
};

inline std::string tree_labels(const TreeNetwork& t, int k, const std::string& prime) {
  std::vector<std::string> labels;
  if (k > 1) labels.push_back(fmt::format("b{}{}", k, prime));
  if (t.is_leaf(k)) labels.push_back(fmt::format("s{}", k));
  else labels.push_back(fmt::format("b{}{}", 2 * k, prime)), labels.push_back(fmt::format("b{}{}", 2 * k + 1, prime));
  return fmt::format("({})", fmt::join(labels, ","));
}

/// The derivatives by all tensors.
inline NetworkProblem all_gradients(const TreeNetwork& t) {
  std::string text;
  for (int k = 2; k <= t.count(); ++k) text += fmt::format("dimension(b{}={})\n", k, t.bond);
  for (int k = 1; k <= t.count(); ++k)
    if (t.is_leaf(k)) text += fmt::format("dimension(s{}={})\n", k, t.extent);
  for (int k = 1; k <= t.count(); ++k) text += fmt::format("unknown T{}{}\n", k, tree_labels(t, k, ""));
  const auto product = [&](int left_out) {
    Factors factors;
    for (int k = 1; k <= t.count(); ++k) {
      factors.push_back(fmt::format("T{}{}", k, tree_labels(t, k, "")));
      if (k != left_out) factors.push_back(fmt::format("T{}{}", k, tree_labels(t, k, "'")));
    }
    return fmt::format("{}", fmt::join(factors, "*"));
  };
  for (int k = 1; k <= t.count(); ++k)
    text += fmt::format("G{0}{1} = {2}\noutput G{0} = G{0}\n", k, tree_labels(t, k, "'"), product(k));
  NetworkProblem p = network_problem(text + "f() = " + product(0) + "\noutput f = f\n");
  ask_for_all_together(p);
  return p;
}

/// At an inner tensor each of the three messages out of it is T with two messages in and T again; T with all three is the gradient.
/// T times the message from the left serves twice. At the root two messages go out, T times either message serves for one.
inline double message_flops(const TreeNetwork& t) {
  const double b = t.bond;
  double flops = 0;
  for (int k = 1; k <= t.count(); ++k) {
    if (t.is_leaf(k)) flops += 2 * b * b * t.extent * 2;  // T T, and the message from above times T
    else if (k == 1) flops += 2 * b * b * b * 5;          // T L, T R, each times T, and T L R
    else flops += 2 * b * b * b * b * 9;
  }
  return flops;
}

/// A scalar network on a square lattice.
struct Lattice {
  int rows, columns, bond;
};

inline std::string lattice_labels(const Lattice& l, int row, int column) {
  std::vector<std::string> labels;
  if (row > 1) labels.push_back(fmt::format("v{}{}", row - 1, column));
  if (column > 1) labels.push_back(fmt::format("h{}{}", row, column - 1));
  if (column < l.columns) labels.push_back(fmt::format("h{}{}", row, column));
  if (row < l.rows) labels.push_back(fmt::format("v{}{}", row, column));
  return fmt::format("({})", fmt::join(labels, ","));
}

/// The derivatives by all tensors.
inline NetworkProblem all_gradients(const Lattice& l) {
  std::string text, leaves, kernels;
  std::vector<std::pair<std::string, std::string>> tensors;  // name, labels
  for (int row = 1; row <= l.rows; ++row)
    for (int column = 1; column <= l.columns; ++column) {
      if (row < l.rows) text += fmt::format("dimension(v{}{}={})\n", row, column, l.bond);
      if (column < l.columns) text += fmt::format("dimension(h{}{}={})\n", row, column, l.bond);
      tensors.emplace_back(fmt::format("T{}{}", row, column), lattice_labels(l, row, column));
      leaves += fmt::format("unknown {}{}\n", tensors.back().first, tensors.back().second);
    }
  const auto product = [&](const std::string& left_out) {
    Factors factors;
    for (const auto& [name, labels] : tensors)
      if (name != left_out) factors.push_back(name + labels);
    return fmt::format("{}", fmt::join(factors, "*"));
  };
  for (const auto& [name, labels] : tensors)
    kernels += fmt::format("G{0}{1} = {2}\noutput {0} = G{0}\n", name, labels, product(name));
  NetworkProblem p = network_problem(text + leaves + kernels + "f() = " + product("") + "\noutput f = f\n");
  ask_for_all_together(p);
  return p;
}

/// The rows above are a tensor of their lower bonds, those below one of their upper bonds. Both take in a row tensor by tensor,
/// from the left and from the right; where the two meet at a tensor, what they make together is its gradient.
inline double row_flops(const Lattice& l) {
  double flops = 0;
  for (int row = 1; row <= l.rows; ++row)
    for (int column = 1; column <= l.columns; ++column) {
      int labels = (row < l.rows ? column : 0) + (row > 1 ? l.columns - column + 1 : 0);
      labels += (column > 1 ? 1 : 0) + (column < l.columns ? 1 : 0);
      const double step = 2 * std::pow(static_cast<double>(l.bond), labels);
      const bool is_first = row == 1 && column == 1, is_last = row == l.rows && column == l.columns;
      if (!is_first && !is_last) flops += 3 * step;  // from the left, from the right, and the gradient
      // The first tensor is nothing to take in from above, and nobody needs it taken in from below; so with the last.
    }
  return flops;
}

}  // namespace tyto
