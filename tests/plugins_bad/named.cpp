// Nothing is wrong with this plugin but, in company, its name.
#include "tyto/plugin.hpp"

class Named final : public tyto::Algorithm {
 public:
  static tyto::Schema schema() { return {tyto::integer("rank", "number of terms").at_least(1)}; }
  void declare(tyto::Declaration&, const tyto::Settings&) override {}
};
TYTO_PLUGIN(Named, PLUGIN_NAME, "1.2.3", "does nothing")
