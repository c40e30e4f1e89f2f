#pragma once
/// Operations on one vector after another: log-sum-exp, softmax, reciprocals that treat rounding as zero. In double.
#include "execute/plain/places.hpp"

namespace tyto::execute::plain {

class Reduction {
 public:
  Reduction(const program::LogSumExp&, const std::vector<program::Buffer>&);
  Reduction(const program::Softmax&, const std::vector<program::Buffer>&);
  Reduction(const program::Reciprocal&, const std::vector<program::Buffer>&);
  template <class T>
  void run(T* out, const T* in) const;

 private:
  enum class Kind : std::int8_t { log_sum_exp, softmax, reciprocal, differences };
  template <class T>
  void soft(T* out, const T* in) const;
  template <class T>
  void reciprocal(T* out, const T* in) const;

  Kind kind_;
  Places in_, out_;
};

}  // namespace tyto::execute::plain
