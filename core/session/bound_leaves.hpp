#pragma once
/// The leaves of a program and the arrays that the caller has bound to them. It knows arrays, not plans.
#include <optional>
#include "graph/graph.hpp"
#include "tensor/dense.hpp"
#include "tyto/compile.hpp"

namespace tyto::session {

struct BoundLeaf {
  std::string name;
  graph::NodeId node = -1;
  std::shared_ptr<const char> identity;
  Extents extents, strides;  ///< strides as they are planned for: never negative, row-major along axes without a step
  Changes changes = Changes::every_run;
  bool is_bound = false, has_changed = false;  ///< changed since the plan last saw it
  bool is_checked = false;                     ///< its facts are true of the values, if those still are what they were
  Array array = {};                            ///< what the program reads
  ConstArray reversed = {};                    ///< an array with a negative stride, of which `staged` is the copy
  std::optional<tensor::Dense> staged = {};    ///< executors never step backwards
  graph::LeafFacts facts = {};
  std::vector<std::string> labels = {};  ///< of the expression by which it was bound
};

class BoundLeaves {
 public:
  /// All leaves that the outputs contain.
  BoundLeaves(const graph::Graph&, Dtype precision);

  void bind(const Expr& leaf, const ConstArray&, Changes);
  void touch(const Expr& leaf);
  /// Error{not_bound} with a finding for each leaf of these outputs that has no array.
  void require_bound(std::size_t output) const;
  void require_bound() const;
  /// Error{contradiction} with a finding for each declared fact of a leaf of these outputs that is not true of its values. What was
  /// found to be true before is not looked at again, unless its contents may have changed.
  void require_facts(std::size_t output);
  void require_facts();
  /// Copies what has to be copied before a run.
  void stage();

  std::vector<BoundLeaf>& all() { return leaves_; }
  const std::vector<BoundLeaf>& all() const { return leaves_; }

 private:
  BoundLeaf& find(const Expr&);
  void require_bound(const std::vector<std::size_t>&) const;
  void require_facts(const std::vector<std::size_t>&);

  std::vector<BoundLeaf> leaves_;
  std::vector<std::vector<std::size_t>> of_output_;
  std::vector<std::size_t> every_;
  Dtype precision_;
};

/// Whether the leaf is in the expression.
bool contains(const Expr&, const Expr& leaf);
/// f32 and f64 for real values, the complex type of the same precision otherwise.
Dtype element_type(Field, Dtype precision);
/// Error{element_type}, Error{shape}, or Error{unsupported} for an array that is not as an expression needs it. `noun` for people.
void check_array(const std::string& noun, const Extents& extents, Dtype type, const ConstArray&);

}  // namespace tyto::session
