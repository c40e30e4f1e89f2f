#include "evaluate/evaluate.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include "execute/evaluation.hpp"
#include "execute/reference/executor.hpp"
#include "plan/fuse.hpp"
#include "plan/plan.hpp"

namespace tyto::test {
namespace {

const graph::Leaf& leaf_of(const Expr& e) {
  if (!e.is_leaf()) throw std::logic_error(e.text() + " is no leaf");
  return *graph::as<graph::Leaf>((*e.store())[e.id()]);
}

/// The elements of an array whose axis order[k] is axis k of the result, row-major.
Numbers gathered(const ConstArray& array, const std::vector<std::int32_t>& order) {
  Extents extents, strides;
  for (const std::int32_t axis : order) {
    extents.push_back(array.extents[static_cast<std::size_t>(axis)]);
    strides.push_back(array.strides[static_cast<std::size_t>(axis)]);
  }
  Numbers result(static_cast<std::size_t>(element_count(extents)));
  Extents at(extents.size(), 0);
  for (double& value : result) {
    std::int64_t place = 0;
    for (std::size_t k = 0; k < at.size(); ++k) place += at[k] * strides[k];
    value = array.as<double>()[place];
    for (std::size_t k = at.size(); k-- > 0 && ++at[k] == extents[k];) at[k] = 0;
  }
  return result;
}

}  // namespace

Values& Values::set(const Expr& leaf, Numbers numbers) {
  by_leaf_[leaf_of(leaf).identity] = std::move(numbers);
  return *this;
}
Values& Values::set(const std::string& leaf, Numbers numbers) {
  by_name_[leaf] = std::move(numbers);
  return *this;
}
Values& Values::randomize(const Expr& leaf, std::uint64_t seed, double low, double high) {
  for (const char c : leaf.name()) seed = seed * 1099511628211ULL + static_cast<unsigned char>(c);
  return set(leaf, random_numbers(count(leaf.shape()), seed, low, high));
}
Values& Values::fill_in(const Expr& leaf, std::uint64_t seed, double low, double high) {
  const graph::Leaf& known = leaf_of(leaf);
  return by_leaf_.contains(known.identity) || by_name_.contains(known.name) ? *this : randomize(leaf, seed, low, high);
}
const Numbers& Values::operator[](const Expr& leaf) const { return of(leaf_of(leaf)); }
const Numbers& Values::of(const graph::Leaf& leaf) const {
  if (const auto known = by_leaf_.find(leaf.identity); known != by_leaf_.end()) return known->second;
  if (const auto known = by_name_.find(leaf.name); known != by_name_.end()) return known->second;
  throw std::logic_error("the leaf " + leaf.name + " has no values");
}

struct Evaluator::Loaded {
  Loaded(const graph::Graph& graph)
      : store(graph.store),
        executor(execute::reference::make_executor()),
        plan(plan::make_plan(graph, executor->model(), {.switched_off = plan::fusion_names()})),
        evaluation(plan.program, executor->load(plan.program, {})),
        memory(plan.leaves.size()) {}
  std::shared_ptr<graph::Store> store;
  std::unique_ptr<execute::Executor> executor;
  plan::Plan plan;
  execute::Evaluation evaluation;
  std::vector<Numbers> memory;  // per leaf
};

Evaluator::Evaluator(const graph::Graph& graph) : loaded_(std::make_unique<Loaded>(graph)) {
  for (std::size_t k = 0; k < graph.outputs.size(); ++k) items_.push_back({0, static_cast<std::int32_t>(k)});
}
Evaluator::Evaluator(const Exprs& expressions) {
  graph::Graph graph{std::make_shared<graph::Store>(), {}};
  for (const Expr& e : expressions) {
    items_.push_back({e.constant().real(), e.store() ? static_cast<std::int32_t>(graph.outputs.size()) : -1});
    if (e.store()) graph.outputs.push_back({"value " + std::to_string(items_.size()), graph.store->import(*e.store(), e.id())});
  }
  if (!graph.outputs.empty()) loaded_ = std::make_unique<Loaded>(graph);
}
Evaluator::~Evaluator() = default;

std::vector<Numbers> Evaluator::operator()(const Values& values) {
  if (loaded_)
    for (std::size_t k = 0; k < loaded_->plan.leaves.size(); ++k) {
      const graph::Node& node = (*loaded_->store)[loaded_->plan.leaves[k]];
      const graph::Leaf& leaf = *graph::as<graph::Leaf>(node);
      const program::Leaf& planned = loaded_->plan.program->leaves[k];
      loaded_->memory[k] = values.of(leaf);
      if (static_cast<std::int64_t>(loaded_->memory[k].size()) != element_count(planned.extents))
        throw std::logic_error("the values of " + leaf.name + " have another size");
      if (planned.strides != row_major(planned.extents))
        throw std::logic_error("the leaf " + leaf.name + " is not planned row-major");
      loaded_->memory[k].resize(std::max<std::size_t>(1, loaded_->memory[k].size()));  // so that it has an address
      loaded_->evaluation.bind(static_cast<program::LeafId>(k), Array(loaded_->memory[k].data(), planned.extents));
    }
  std::vector<Numbers> results;
  for (const Item& item : items_) {
    if (item.output < 0) {
      results.push_back({item.constant});
      continue;
    }
    const plan::Output& output = loaded_->plan.outputs[static_cast<std::size_t>(item.output)];
    results.push_back(gathered(loaded_->evaluation.run(output.kernel), output.axes));
  }
  return results;
}

Numbers evaluate(const Expr& e, const Values& values) { return Evaluator(Exprs{e})(values)[0]; }
Numbers evaluate(const std::shared_ptr<graph::Store>& store, graph::NodeId node, const Values& values) {
  return Evaluator(graph::Graph{store, {{"value", node}}})(values)[0];
}
std::vector<Numbers> evaluate(const graph::Graph& graph, const Values& values) { return Evaluator(graph)(values); }

Numbers random_numbers(std::int64_t count, std::uint64_t seed, double low, double high) {
  std::mt19937_64 engine(seed);
  Numbers numbers(static_cast<std::size_t>(count));
  for (double& value : numbers) value = low + (high - low) * static_cast<double>(engine() >> 11) * 0x1p-53;
  return numbers;
}

std::int64_t count(const Indices& labels) {
  std::int64_t product = 1;
  for (const Index& label : labels) product *= label.extent();
  return product;
}

double distance(const Numbers& a, const Numbers& b) {
  double most = a.size() == b.size() ? 0 : std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
    const double difference = std::abs(a[k] - b[k]);
    if (!(difference <= most)) most = std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
  }
  return most;
}
double largest(const Numbers& numbers) { return distance(numbers, Numbers(numbers.size(), 0)); }

}  // namespace tyto::test
