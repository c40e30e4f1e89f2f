#pragma once
/// The optimizer with every pass checked: before and after on random numbers.
#include "optimize/pipeline.hpp"

namespace tyto::verify {

/// In debug builds nothing is optimized without being checked; sanitizers are too slow for that, and check in the fuzz test.
#if defined(NDEBUG) || defined(__SANITIZE_ADDRESS__)
constexpr bool always = false;
#else
constexpr bool always = true;
#endif

struct Summary {
  std::int64_t compared = 0, skipped = 0;
  bool on_small_copy = false;  ///< extents were reduced, since the graph as it stands is too large for plain loops
  std::string text() const;    ///< "8 passes compared on random values, none skipped"
};

/// optimize() of the graph; each pass is compared on random values before and after, on the graph itself or, where evaluating it by
/// plain loops costs more than about a second, on a copy with small extents on which all passes run. A graph that is too large and
/// whose extents are tied to each other (by reshapes, positions, bonds) is not compared and counts as skipped. Error{defect} names
/// the pass, shows the first element that differs and both graphs.
optimize::Optimized verified(const graph::Graph&, const optimize::Context&, const std::vector<std::string>& switched_off, Summary&);

}  // namespace tyto::verify
