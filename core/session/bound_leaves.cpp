#include "session/bound_leaves.hpp"
#include <algorithm>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "verify/facts.hpp"

namespace tyto::session {

namespace {

/// Strides without what no step is taken along, so that arrays of one layout are planned for alike.
Extents planned_strides(const ConstArray& array) {
  Extents strides = row_major(array.extents);
  if (array.size() == 0) return strides;
  for (std::size_t axis = 0; axis < strides.size(); ++axis)
    if (array.extents[axis] > 1) strides[axis] = array.strides[axis];
  return strides;
}

std::vector<std::size_t> numbers_of(const std::vector<BoundLeaf>& leaves, const std::vector<graph::NodeId>& nodes) {
  std::vector<std::size_t> numbers;
  for (std::size_t k = 0; k < leaves.size(); ++k)
    if (std::find(nodes.begin(), nodes.end(), leaves[k].node) != nodes.end()) numbers.push_back(k);
  return numbers;
}

}  // namespace

bool contains(const Expr& e, const Expr& leaf) {
  if (!e.store()) return false;
  const auto& wanted = *graph::as<graph::Leaf>((*leaf.store())[leaf.id()]);
  const std::vector<graph::NodeId> nodes = graph::reachable(*e.store(), {e.id()});
  return std::any_of(nodes.begin(), nodes.end(), [&](graph::NodeId id) {
    const auto* found = graph::as<graph::Leaf>((*e.store())[id]);
    return found != nullptr && *found == wanted;
  });
}

Dtype element_type(Field field, Dtype precision) {
  if (field == Field::real) return precision;
  return precision == Dtype::f32 ? Dtype::c64 : Dtype::c128;
}

void check_array(const std::string& noun, const Extents& extents, Dtype type, const ConstArray& array) {
  if (array.space != Space::host)
    fail(Code::unsupported, fmt::format("the array for {} lies on a device", noun), "host memory", "device memory");
  if (array.dtype != type)
    fail(Code::element_type, fmt::format("the array for {} has another element type", noun), name_of(type), name_of(array.dtype),
         "an array of that type, or another CompileOptions::precision");
  if (array.extents != extents)
    fail(Code::shape, fmt::format("the array for {} has another shape", noun), tensor::text_of(extents),
         tensor::text_of(array.extents), "axes in the order of the labels of the expression");
  if (array.strides.size() != extents.size())
    fail(Code::shape, fmt::format("the array for {} has another number of strides than of axes", noun),
         fmt::format("{}", extents.size()), fmt::format("{}", array.strides.size()));
  if (array.data == nullptr && array.size() > 0)
    fail(Code::not_bound, fmt::format("the array for {} has no memory", noun), "an address", "a null pointer");
}

BoundLeaves::BoundLeaves(const graph::Graph& graph, Dtype precision) : precision_(precision) {
  const graph::Store& store = *graph.store;
  for (const graph::NodeId id : graph::reachable(graph))
    if (const auto* leaf = graph::as<graph::Leaf>(store[id])) {
      const Extents extents = store.extents(id);
      leaves_.push_back(
          {.name = leaf->name, .node = id, .identity = leaf->identity, .extents = extents, .strides = row_major(extents)});
      leaves_.back().facts = leaf->facts;
    }
  for (const graph::Output& output : graph.outputs)
    of_output_.push_back(numbers_of(leaves_, graph::reachable(store, {output.node})));
  for (std::size_t k = 0; k < leaves_.size(); ++k) every_.push_back(k);
}

BoundLeaf& BoundLeaves::find(const Expr& leaf) {
  if (!leaf.is_leaf())
    fail({.code = Code::label,
          .where = {.quote = leaf.text()},
          .what = "an array can be bound to a leaf only",
          .expected = "what tensor() or a Declaration made",
          .found = leaf.text()});
  const auto& wanted = *graph::as<graph::Leaf>((*leaf.store())[leaf.id()]);
  std::vector<std::string> names;
  for (BoundLeaf& known : leaves_) {
    if (known.identity == wanted.identity) return known;
    names.push_back(known.name);
  }
  const bool is_known_name = std::find(names.begin(), names.end(), wanted.name) != names.end();
  fail(Code::label, fmt::format("the outputs do not contain the leaf {}", wanted.name),
       names.empty() ? "no leaf: the outputs are constants" : listed(names),
       is_known_name ? fmt::format("another leaf that is called {} too", wanted.name) : wanted.name,
       is_known_name ? "the very expression that the outputs were made of" : nearest(wanted.name, names));
}

void BoundLeaves::bind(const Expr& leaf, const ConstArray& array, Changes changes) {
  BoundLeaf& bound = find(leaf);
  check_array(fmt::format("the leaf {}", bound.name), bound.extents, element_type(leaf.field(), precision_), array);
  bound.strides = planned_strides(array);
  const bool is_reversed = std::any_of(bound.strides.begin(), bound.strides.end(), [](std::int64_t stride) { return stride < 0; });
  bound.staged.reset();
  if (is_reversed) {
    bound.reversed = array, bound.strides = row_major(array.extents);
    bound.staged = tensor::Dense::zeros(array.dtype, array.extents);
  }
  bound.array = is_reversed ? bound.staged->view()  // read only: Array is what executors take
                            : Array(const_cast<void*>(array.data), array.dtype, array.extents, bound.strides);
  bound.changes = changes, bound.is_bound = bound.has_changed = true, bound.is_checked = false;
  bound.labels.clear();
  for (const Index& label : leaf.shape()) bound.labels.push_back(label.name());
}

void BoundLeaves::touch(const Expr& leaf) {
  BoundLeaf& bound = find(leaf);
  bound.has_changed = bound.is_bound;  // what has no array yet has nothing to read anew
  bound.is_checked = false;
}

void BoundLeaves::require_bound(std::size_t output) const { require_bound(of_output_[output]); }
void BoundLeaves::require_bound() const { require_bound(every_); }
void BoundLeaves::require_facts(std::size_t output) { require_facts(of_output_[output]); }
void BoundLeaves::require_facts() { require_facts(every_); }

void BoundLeaves::require_bound(const std::vector<std::size_t>& needed) const {
  std::vector<Finding> findings;
  for (const std::size_t k : needed)
    if (!leaves_[k].is_bound)
      findings.push_back({.code = Code::not_bound,
                          .what = fmt::format("no array is bound to the leaf {}", leaves_[k].name),
                          .expected = fmt::format("an array of {}", tensor::text_of(leaves_[k].extents)),
                          .hint = "bind() before run()"});
  if (!findings.empty()) throw Error(std::move(findings));
}

void BoundLeaves::require_facts(const std::vector<std::size_t>& needed) {
  std::vector<Finding> findings;
  for (const std::size_t k : needed) {
    BoundLeaf& leaf = leaves_[k];
    const bool has_facts = !leaf.facts.symmetric.empty() || !leaf.facts.orthonormal.empty();
    if (!has_facts || (leaf.is_checked && leaf.changes != Changes::every_run)) continue;
    const ConstArray values = leaf.staged ? leaf.reversed : leaf.array;  // the copy may not have been made yet
    const std::vector<Finding> own = verify::broken_facts({leaf.name, leaf.labels, leaf.facts}, values);
    findings.insert(findings.end(), own.begin(), own.end());
    leaf.is_checked = own.empty();
  }
  if (!findings.empty()) throw Error(std::move(findings));
}

void BoundLeaves::stage() {
  for (BoundLeaf& leaf : leaves_)
    if (leaf.staged && (leaf.has_changed || leaf.changes == Changes::every_run))
      tensor::copy_to(leaf.reversed, leaf.staged->view());
}

}  // namespace tyto::session
