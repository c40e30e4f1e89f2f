// For each combination: which of its contractions to take, tried one by one, then the steps that do it.
#include "plan/fuse_accumulation.hpp"
#include <algorithm>
#include "plan/step_editing.hpp"

namespace tyto::plan {

using program::BufferId;
using program::Combination;
using program::Contraction;
using program::StepId;

namespace {

/// Terms of a combination: those that contractions will add, in this order, and the others.
struct Split {
  std::vector<std::size_t> taken, others;
};

Split split(const Combination& combination, std::vector<std::size_t> taken) {
  Split result{std::move(taken), {}};
  for (std::size_t k = 0; k < combination.inputs.size(); ++k)
    if (std::find(result.taken.begin(), result.taken.end(), k) == result.taken.end()) result.others.push_back(k);
  return result;
}

class Accumulation {
 public:
  Accumulation(StepEditing& steps, StepId sum)
      : steps_(steps), sum_(sum), combination_(std::get<Combination>(steps.operation(sum))) {}

  void run() {
    const std::vector<std::size_t> all = candidates();
    std::vector<std::size_t> best;
    double least = seconds_with({});
    const auto attempt = [&](const std::vector<std::size_t>& taken) {
      const double seconds = seconds_with(taken);
      if (seconds < least) least = seconds, best = taken;
    };
    const auto is_earlier = [&](std::size_t a, std::size_t b) {
      return std::find(all.begin(), all.end(), a) < std::find(all.begin(), all.end(), b);
    };
    attempt(all);
    for (const std::size_t k : all) {  // more than those that help so far, or less
      std::vector<std::size_t> other = best;
      if (std::erase(other, k) == 0) other.insert(std::upper_bound(other.begin(), other.end(), k, is_earlier), k);
      attempt(other);
    }
    if (!best.empty()) write(split(combination_, best));
  }

 private:
  /// Everything that adds one value to the next, as operations: the combination of what is left, if it is one, then contractions.
  struct Chain {
    std::vector<program::Buffer> buffers;  ///< with one more at the end for the combination of what is left
    std::vector<program::Operation> operations;
  };

  const Contraction* contraction(std::size_t term) const {
    const StepId made_by = steps_.maker(combination_.inputs[term]);
    return made_by < 0 ? nullptr : std::get_if<Contraction>(&steps_.operation(made_by));
  }
  /// Terms whose contraction could add its value to others, in the order in which they are computed.
  std::vector<std::size_t> candidates() const {
    std::vector<std::size_t> terms;
    for (std::size_t k = 0; k < combination_.inputs.size(); ++k) {
      const BufferId value = combination_.inputs[k];
      const Contraction* made_by = contraction(k);
      const bool is_fit = made_by != nullptr && is_ordinary(made_by->pair) && made_by->addend < 0 &&
                          std::count(combination_.inputs.begin(), combination_.inputs.end(), value) == 1 &&
                          combination_.coefficients[k] != 0 && steps_.is_inner(value, sum_) &&
                          steps_.buffer(value).dtype == steps_.buffer(combination_.out).dtype;
      if (is_fit) terms.push_back(k);
    }
    std::stable_sort(terms.begin(), terms.end(), [&](std::size_t a, std::size_t b) {
      return steps_.maker(combination_.inputs[a]) < steps_.maker(combination_.inputs[b]);
    });
    return terms;
  }

  /// Of the combination and the contractions that could be part of it, when these terms are.
  double seconds_with(const std::vector<std::size_t>& taken) const {
    double seconds = 0;
    for (const std::size_t k : candidates())
      if (std::find(taken.begin(), taken.end(), k) == taken.end()) seconds += steps_.seconds(*contraction(k));
    if (taken.empty()) return seconds + steps_.seconds(combination_);
    const Chain chain = chained(split(combination_, taken));
    for (const program::Operation& operation : chain.operations) seconds += steps_.seconds(operation, chain.buffers);
    return seconds;
  }

  Chain chained(const Split& terms) const {
    Chain chain{steps_.buffers(), {}};
    const program::Buffer& out = steps_.buffer(combination_.out);
    BufferId so_far = -1;
    double coefficient = 1;
    if (terms.others.size() == 1) {
      so_far = combination_.inputs[terms.others[0]], coefficient = combination_.coefficients[terms.others[0]];
    } else if (terms.others.size() > 1) {
      Combination rest;
      for (const std::size_t k : terms.others)
        rest.coefficients.push_back(combination_.coefficients[k]), rest.inputs.push_back(combination_.inputs[k]);
      so_far = rest.out = static_cast<BufferId>(chain.buffers.size());
      chain.buffers.push_back(out);
      chain.buffers.back().name += " partly";
      chain.operations.push_back(std::move(rest));
    }
    for (const std::size_t k : terms.taken) {
      const bool is_last = k == terms.taken.back();
      Contraction product = *contraction(k);
      product.scale *= combination_.coefficients[k];
      product.addend = so_far;
      product.addend_scale = so_far < 0 ? 1 : coefficient;
      if (is_last) product.out.buffer = combination_.out;
      else chain.buffers[static_cast<std::size_t>(product.out.buffer)].strides = out.strides;  // to lie where the next one lies
      if (!chain.operations.empty())
        chain.buffers[static_cast<std::size_t>(so_far)].overlaps = {product.out.buffer};  // nobody else reads it
      so_far = product.out.buffer, coefficient = 1;
      chain.operations.push_back(std::move(product));
    }
    return chain;
  }

  /// The contractions stay where they are in the order, or come right behind what they add to.
  void write(const Split& terms) {
    Chain chain = chained(terms);
    auto operation = chain.operations.begin();
    StepId before = -1;
    if (terms.others.size() == 1) before = steps_.maker(combination_.inputs[terms.others[0]]);
    std::vector<StepId> makers;
    for (const std::size_t k : terms.taken) makers.push_back(steps_.maker(combination_.inputs[k]));
    if (terms.others.size() > 1) {
      steps_.add_buffer(chain.buffers.back());
      before = sum_;
      steps_.replace(sum_, *operation++);
    } else {
      steps_.remove(sum_);
    }
    for (std::size_t k = 0; k < makers.size(); ++k, ++operation) {
      const bool is_last = k + 1 == makers.size();
      if (!is_last) steps_.set_strides(combination_.inputs[terms.taken[k]], steps_.buffer(combination_.out).strides);
      steps_.replace(makers[k], std::move(*operation));
      if (is_last) steps_.take_part_of(makers[k], sum_);
      if (before >= 0) steps_.move_behind(makers[k], before);
      before = makers[k];
    }
  }

  StepEditing& steps_;
  StepId sum_;
  Combination combination_;
};

}  // namespace

Lowered fuse_accumulation(const Lowered& lowered, const FusionContext& context) {
  StepEditing steps(lowered, context);
  for (StepId id = 0; id < steps.count(); ++id)
    if (steps.is_repeated(id) && std::holds_alternative<Combination>(steps.operation(id))) Accumulation(steps, id).run();
  return steps.finished();
}

}  // namespace tyto::plan
