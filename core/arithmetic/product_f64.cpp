#include "arithmetic/product_functions.hpp"

namespace tyto::arithmetic {

template <>
const ProductFunctions<double>& product_functions<double>(Isa isa) {
  return functions_by_isa<double>(isa);
}

}  // namespace tyto::arithmetic
