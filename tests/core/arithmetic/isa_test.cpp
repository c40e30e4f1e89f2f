#include "arithmetic/isa.hpp"
#include <cstdlib>
#include <boost/test/unit_test.hpp>
#include "tyto/error.hpp"

namespace tyto::arithmetic {
namespace {

/// TYTO_ISA for as long as it lives.
class Asked {
 public:
  explicit Asked(const char* isa) {
    if (const char* old = std::getenv("TYTO_ISA")) before_ = old;
    setenv("TYTO_ISA", isa, 1);
  }
  ~Asked() { before_.empty() ? unsetenv("TYTO_ISA") : setenv("TYTO_ISA", before_.c_str(), 1); }

 private:
  std::string before_;
};

BOOST_AUTO_TEST_CASE(the_best_set_is_used_unless_another_is_asked_for) {
  BOOST_TEST((available_isas().front() == Isa::portable));
  const Asked none("");
  BOOST_TEST((chosen_isa() == available_isas().back()));
  for (const Isa isa : available_isas()) {
    const Asked asked(name_of(isa).c_str());
    BOOST_TEST((chosen_isa() == isa));
  }
}

BOOST_AUTO_TEST_CASE(an_unknown_set_is_an_error) {
  const Asked asked("sse9");
  BOOST_CHECK_EXCEPTION(chosen_isa(), Error, [](const Error& error) {
    BOOST_TEST(error.what() ==
               "TYTO_ISA of the environment names no instruction set\n  expected  portable, avx2 or avx512\n  found     sse9\n"
               "  try       unsetting TYTO_ISA, which takes the best there is");
    return error.findings().front().code == Code::unknown_word;
  });
}

}  // namespace
}  // namespace tyto::arithmetic
