#include "arithmetic/product_functions.hpp"

namespace tyto::arithmetic {

template <>
const ProductFunctions<std::complex<double>>& product_functions<std::complex<double>>(Isa isa) {
  return functions_by_isa<std::complex<double>>(isa);
}

}  // namespace tyto::arithmetic
