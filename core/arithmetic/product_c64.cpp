#include "arithmetic/product_functions.hpp"

namespace tyto::arithmetic {

template <>
const ProductFunctions<std::complex<float>>& product_functions<std::complex<float>>(Isa isa) {
  return functions_by_isa<std::complex<float>>(isa);
}

}  // namespace tyto::arithmetic
