#pragma once
/// How near the components of a CP decomposition are to those of another one: the factor match score.
#include <cstdint>
#include <string>
#include <vector>

namespace tyto::result {

struct Ktensor;

/// A component and the one of the reference that it is taken for.
struct MatchedComponent {
  std::int64_t component = 0, reference = 0;  ///< columns of the factors, from 0
  double weights = 0;                         ///< the smaller weight over the larger one: 1 - |w - w'| / max(w, w')
  std::vector<double> cosines = {};           ///< of the columns in each mode, signs taken into account
  std::vector<int> signs = {};                ///< 1 or -1 for each mode, by which the component's columns are multiplied; product 1
  double congruence() const;                  ///< product of the cosines
};

struct FactorMatch {
  std::string reference = {};                     ///< where it is from
  double score = 0;                               ///< mean over the matched components of weights times congruence
  double score_without_weights = 0;               ///< of the congruence alone
  std::vector<MatchedComponent> components = {};  ///< by ascending column
  std::vector<std::int64_t> permutation = {};     ///< the reference's column for each of the result's; -1: none is left for it
};

/// The factor match score of Acar, Dunlavy, Kolda and Morup, Scalable tensor factorizations for incomplete data, Chemometr. Intell.
/// Lab. Syst. 106 (2011), as `score` of the Tensor Toolbox has it with its penalty for weights, over the permutation for which it
/// is largest; of different ranks, for the smaller one. Signs are turned in pairs of modes only, which leaves a component what it
/// is: one that is the negative of the reference's counts negatively, where the Toolbox takes magnitudes. Both with columns of unit
/// norm.
FactorMatch factor_match(const Ktensor& result, const Ktensor& reference);

/// "factor match score 0.9983 with FOLDER (0.9999 without weights): columns 0, 1 are 1, 0 there, with signs +++, +--"
std::string text_of(const FactorMatch&);

}  // namespace tyto::result
