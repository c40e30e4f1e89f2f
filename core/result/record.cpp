// Look-ups in a record.
#include "result/record.hpp"

namespace tyto::result {

const char* status_name(Stop stop) {
  switch (stop) {
    case Stop::converged: return "converged";
    case Stop::sweep_limit:
    case Stop::time_limit: return "limit";
    case Stop::interrupted: return "interrupted";
    case Stop::stalled: return "stalled";
    case Stop::degenerate: return "degenerate";
    case Stop::failed: return "failed";
  }
  return "failed";
}

const NamedArray* find_array(const Result& result, const std::string& name) {
  const auto found = result.values.find(name);
  return found == result.values.end() ? nullptr : &found->second;
}

double compression_ratio(const Record& record) {
  if (record.model_elements == 0 || record.data.empty()) return 0;
  return static_cast<double>(element_count(record.data[0].shape)) / static_cast<double>(record.model_elements);
}

}  // namespace tyto::result
