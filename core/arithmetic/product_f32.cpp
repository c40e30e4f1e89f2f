#include "arithmetic/product_functions.hpp"

namespace tyto::arithmetic {

template <>
const ProductFunctions<float>& product_functions<float>(Isa isa) {
  return functions_by_isa<float>(isa);
}

}  // namespace tyto::arithmetic
