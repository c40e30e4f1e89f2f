// Derivatives of random expressions over all operations against finite differences.
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <random>
#include "evaluate/finite_difference.hpp"
#include "graph/text.hpp"
#include "tyto/derivative.hpp"

using namespace tyto::v1;
using namespace tyto::test;

namespace {

/// Grows expressions from some leaves. Every value is kept of moderate size: bases of roots and quotients are above 1, matrices to
/// invert are 2 I + E E^T.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  Expr grown(int operations) {
    for (int k = 0; k < operations; ++k) {
      const Expr made = next();
      if (made.order() <= 3) pool_.push_back(made);
    }
    Expr whole = bounded(pool_.back());
    return whole * sum(bounded(pick())) + 0.5 * bounded(whole);
  }
  const Exprs& leaves() const { return leaves_; }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
  const Expr& pick() { return pool_[below(pool_.size())]; }
  /// e / sqrt(1 + |e|^2)
  static Expr bounded(const Expr& e) { return e / sqrt(1 + norm2(e)); }
  Indices some_of(const Indices& labels) {
    Indices chosen;
    for (const Index& label : labels)
      if (below(3) != 0 && chosen.size() < 3) chosen.push_back(label);
    std::shuffle(chosen.begin(), chosen.end(), engine_);
    return chosen;
  }
  /// A positive definite matrix over (r, r') from whatever has label r.
  Expr matrix() {
    Expr e = pick();
    if (std::find(e.shape().begin(), e.shape().end(), r_) == e.shape().end()) e = leaves_[0];
    if (std::find(e.shape().begin(), e.shape().end(), r_.prime()) != e.shape().end()) return matrix_of(leaves_[0]);
    return matrix_of(e);
  }
  Expr matrix_of(const Expr& e) {
    Indices second = e.shape();
    std::replace(second.begin(), second.end(), r_, r_.prime());
    return 2 * identity(r_, r_.prime()) + einsum({bounded(e), bounded(e)(second)}, {r_, r_.prime()});
  }
  Expr next() {
    const Expr &e = pick(), &other = pick();
    switch (below(12)) {
      case 0: return einsum({e, other}, some_of((e * other).shape()));
      case 1: return einsum({e, other, pick()}, some_of((e * other).shape()));
      case 2: return 1.5 * e - 0.5 * square(e) + 0.25;
      case 3: return pow(1 + square(bounded(e)), std::vector<double>{0.5, -1, 1.7, 3, -0.5}[below(5)]);
      case 4: return other / (2 + square(e));
      case 5: return inverse(matrix(), {r_.prime()});
      case 6: return solve(matrix(), leaves_[below(2)], {r_});
      case 7: return diagonal(e);
      case 8: return e * norm(1 + square(other));
      case 9: return expand(norm2(e), {i_}) * leaves_[3];
      case 10: return einsum({e, identity(r_, r_.prime()), leaves_[2]}, some_of((e * leaves_[2]).shape()));
      default: return e({relabelled(e.shape())});
    }
  }
  Expr diagonal(const Expr& e) {
    Indices labels = e.shape();
    for (std::size_t k = 1; k < labels.size(); ++k)
      if (labels[k].extent() == labels[0].extent()) labels[k] = labels[0];
    return e(labels);
  }
  /// Labels over r or i put in place of each other where that keeps them different.
  Indices relabelled(Indices labels) {
    for (Index& label : labels) {
      const Index swapped = label == r_ ? i_ : label == i_ ? r_ : label;
      if (std::find(labels.begin(), labels.end(), swapped) == labels.end()) label = swapped;
    }
    return labels;
  }

  std::mt19937_64 engine_;
  Index i_{"i", 2}, j_{"j", 3}, r_{"r", 2};
  Exprs leaves_{tensor("A", {i_, r_}), tensor("B", {j_, r_}), tensor("M", {r_, r_.prime()}), tensor("v", {i_}), tensor("s", {})};
  Exprs pool_ = leaves_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(gradients_and_products_of_200_random_expressions) {
  int used = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    const Expr y = random.grown(3 + static_cast<int>(seed % 5)), f = sum(y * 1.0) + norm2(y);
    Values values;
    Exprs directions;
    std::vector<Numbers> direction;
    for (const Expr& leaf : random.leaves()) {
      values.randomize(leaf, seed);
      directions.push_back(tensor("d" + leaf.name(), leaf.shape()));
      values.randomize(directions.back(), seed + 1);
      direction.push_back(values[directions.back()]);
    }
    const Exprs gradients = gradient(f, random.leaves());
    Exprs outputs = gradients;
    outputs.push_back(jvp(y, random.leaves(), directions));
    const std::vector<Numbers> found = Evaluator(outputs)(values);
    for (std::size_t n = 0; n < gradients.size(); ++n) {
      const std::string wrong = disagreement(found[n], differences(f, random.leaves()[n], values));
      BOOST_CHECK_MESSAGE(wrong.empty(),
                          "seed " << seed << ", gradient by " << random.leaves()[n].name() << " of " << f.text() << ": " << wrong);
      used += largest(found[n]) > 1e-3 ? 1 : 0;
    }
    const std::string wrong = disagreement(found.back(), differences(y, random.leaves(), direction, values));
    BOOST_CHECK_MESSAGE(wrong.empty(), "seed " << seed << ", jvp of " << y.text() << ": " << wrong);
  }
  BOOST_TEST(used > 400);  // most gradients are not zero
}

BOOST_AUTO_TEST_CASE(texts_of_random_derivatives_parse_back_to_what_they_were) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const Expr y = random.grown(4);
    const Expr slope = gradient(norm2(y), random.leaves()[0]);
    const tyto::graph::Graph graph{slope.store(), {{"y", slope.store()->import(*y.store(), y.id())}, {"gradient", slope.id()}}};
    Values values;
    for (const Expr& leaf : random.leaves()) values.set(leaf.name(), random_numbers(count(leaf.shape()), seed));
    const std::string text = tyto::graph::print(graph);
    const tyto::graph::Graph again = tyto::graph::parse(text);
    verify(again);
    BOOST_CHECK_MESSAGE(tyto::graph::print(again) == text, "seed " << seed << "\n"
                                                                   << text << "comes back as\n"
                                                                   << tyto::graph::print(again));
    const std::vector<Numbers> before = evaluate(graph, values), after = evaluate(again, values);
    for (std::size_t k = 0; k < before.size(); ++k) BOOST_TEST(distance(before[k], after[k]) <= 1e-14 * (1 + largest(before[k])));
  }
}
