#include "tensor/hdf5/handles.hpp"

namespace tyto::tensor::hdf5 {

std::string reason() {
  std::string words;
  const auto keep_first = [](unsigned, const H5E_error2_t* error, void* text) -> herr_t {
    std::string& first = *static_cast<std::string*>(text);
    if (first.empty() && error->desc != nullptr) first = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &words);
  return words.empty() ? "the library does not say why" : words;
}

}  // namespace tyto::tensor::hdf5
