// Built with other public headers, as far as its tag can tell.
#include "tyto/plugin.hpp"
#undef TYTO_BUILD_TAG
#define TYTO_BUILD_TAG "headers=000000000000 cxx11abi=1 stl_debug=0"

class OtherTag final : public tyto::Algorithm {
 public:
  static tyto::Schema schema() { return {}; }
  void declare(tyto::Declaration&, const tyto::Settings&) override {}
};
TYTO_PLUGIN(OtherTag, "other-tag", "1", "is refused")
