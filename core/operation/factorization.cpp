#include "operation/factorization.hpp"
#include <algorithm>

namespace tyto::operation {

const std::vector<Part>& parts() {
  static const std::vector<Part> all = {Part::cholesky, Part::q, Part::r, Part::u, Part::s, Part::v, Part::values, Part::vectors};
  return all;
}

std::string name_of(Part part) {
  switch (part) {
    case Part::cholesky: return "cholesky";
    case Part::q: return "qr.q";
    case Part::r: return "qr.r";
    case Part::u: return "svd.u";
    case Part::s: return "svd.s";
    case Part::v: return "svd.v";
    case Part::values: return "eigen.values";
    case Part::vectors: return "eigen.vectors";
  }
  return "";
}

std::optional<Part> part_named(const std::string& name) {
  const auto at = std::find_if(parts().begin(), parts().end(), [&](Part part) { return name_of(part) == name; });
  return at == parts().end() ? std::nullopt : std::optional<Part>(*at);
}

Decomposition decomposition_of(Part part) {
  switch (part) {
    case Part::cholesky: return Decomposition::cholesky;
    case Part::q:
    case Part::r: return Decomposition::qr;
    case Part::u:
    case Part::s:
    case Part::v: return Decomposition::svd;
    case Part::values:
    case Part::vectors: return Decomposition::eigen;
  }
  return Decomposition::cholesky;
}

std::vector<Part> parts_of(Decomposition d) {
  std::vector<Part> result;
  for (const Part part : parts())
    if (decomposition_of(part) == d) result.push_back(part);
  return result;
}

}  // namespace tyto::operation
