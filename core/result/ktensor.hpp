#pragma once
/// A CP result in its usual form: weights and one unit-norm factor per mode, X(i,j,k) ~ sum_r w(r) A(i,r) B(j,r) C(k,r). Recognizes
/// such results by their labels and brings them into a form that no longer depends on the start; it reads and writes no files.
#include "result/record.hpp"
#include <string>
#include <vector>

namespace tyto::result {

/// The name of an unknown and the names of its axes.
struct NamedAxes {
  std::string name = {};
  std::vector<std::string> labels = {};
};

/// Modes are in the order of the data tensor.
struct Ktensor {
  std::vector<double> weights = {};        ///< w(r) >= 0
  std::vector<std::string> unknowns = {};  ///< the unknown that each factor came from
  std::vector<NamedArray> factors = {};    ///< [mode][component], columns of norm 1, or 0 where w(r) is 0
  std::vector<std::int64_t> columns = {};  ///< the column of the unknowns that each component was
  std::int64_t rank() const { return static_cast<std::int64_t>(weights.size()); }
};

/// Empty where the unknowns form a CP decomposition of one of the data tensors: all are matrices [mode][component], share the
/// second label, and their first labels are the modes of that tensor, each once. Otherwise the reason why not, for a person:
/// "A_2(k,q) does not share the label r of A_0(i,r)". Needs no values, so it can be asked before a run.
std::string why_not_ktensor(const std::vector<NamedAxes>& unknowns, const std::vector<DataDescription>& data);

/// The same for a finished run, which also needs finite values: "A_1 has values that are not finite".
std::string why_not_ktensor(const Record&);

/// Columns of unit norm, the weight taking the product of the norms; components in the order of the columns, signs as they are.
/// `factors` are matrices [mode][component] of one number of columns.
Ktensor with_unit_columns(std::vector<std::string> unknowns, std::vector<NamedArray> factors);
/// The same of a record. Precondition: why_not_ktensor(record) is empty.
Ktensor with_unit_columns(const Record&);

/// The normalized form; the tensor it stands for is that of the unknowns, to rounding. Columns get unit norm, the weight taking the
/// product of the norms; components are sorted by decreasing weight, equal ones keep their order. Signs follow the classical rule:
/// a column's sign is free only in pairs of modes, so in every mode but the last the entry of largest magnitude (the first of equal
/// ones) is made positive, and the last mode takes what is left. A component with a zero column has weight 0 and zero columns.
/// Precondition: why_not_ktensor(record) is empty.
Ktensor normalized_ktensor(const Record&);

/// w(r)^2 / sum_s w(s)^2: how the sum of squares is shared if overlap of components is left aside. Zeros for a zero tensor.
std::vector<double> weight_shares(const Ktensor&);

/// The largest congruence of component r with another one, prod_n <a_n(r), a_n(s)>, by magnitude with its sign: near -1 the two
/// cancel each other (degenerate), near 1 they are one. 0 for a single component.
std::vector<double> largest_congruences(const Ktensor&);

}  // namespace tyto::result
