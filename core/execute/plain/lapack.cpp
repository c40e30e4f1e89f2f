#include "execute/plain/lapack.hpp"
#include <algorithm>
#include <limits>
#include <type_traits>
#include "error/fail.hpp"
#include <lapacke.h>

namespace tyto::execute::plain {
namespace {

constexpr int by_columns = LAPACK_COL_MAJOR;

int narrow(std::int64_t size) {
  TYTO_ASSERT(size >= 0 && size <= std::numeric_limits<int>::max());
  return static_cast<int>(size);
}
int leading(std::int64_t rows) { return std::max(narrow(rows), 1); }
lapack_complex_double* raw(Complex* p) { return reinterpret_cast<lapack_complex_double*>(p); }

template <class S>
constexpr bool is_real = std::is_same_v<S, double>;

template <class T>
void grow(std::vector<T>& memory, double size) {
  memory.resize(std::max(memory.size(), static_cast<std::size_t>(std::max(size, 1.0)) + 1));
}
double first(double x) { return x; }
double first(Complex x) { return x.real(); }

template <class S>
int length(const Workspace<S>& w) {
  return narrow(static_cast<std::int64_t>(w.work.size()));
}

template <class S>
int call_eigen(int n, S* a, double* values, S* work, int size, double* real) {
  if constexpr (is_real<S>) return LAPACKE_dsyev_work(by_columns, 'V', 'L', n, a, leading(n), values, work, size);
  else return LAPACKE_zheev_work(by_columns, 'V', 'L', n, raw(a), leading(n), values, raw(work), size, real);
}

template <class S>
int call_least_squares(int n, int m, S* a, S* b, double* values, double threshold, int* rank, S* work, int size, double* real,
                       int* integers) {
  if constexpr (is_real<S>)
    return LAPACKE_dgelsd_work(by_columns, n, n, m, a, leading(n), b, leading(n), values, threshold, rank, work, size, integers);
  else
    return LAPACKE_zgelsd_work(by_columns, n, n, m, raw(a), leading(n), raw(b), leading(n), values, threshold, rank, raw(work),
                               size, real, integers);
}

template <class S>
int call_qr(int n, int m, S* a, S* reflectors, S* work, int size) {
  if constexpr (is_real<S>) return LAPACKE_dgeqrf_work(by_columns, n, m, a, leading(n), reflectors, work, size);
  else return LAPACKE_zgeqrf_work(by_columns, n, m, raw(a), leading(n), raw(reflectors), raw(work), size);
}
template <class S>
int call_form_q(int n, int m, S* a, S* reflectors, S* work, int size) {
  if constexpr (is_real<S>) return LAPACKE_dorgqr_work(by_columns, n, m, m, a, leading(n), reflectors, work, size);
  else return LAPACKE_zungqr_work(by_columns, n, m, m, raw(a), leading(n), raw(reflectors), raw(work), size);
}

template <class S>
int call_svd(int n, int m, S* a, double* s, S* u, S* vh, S* work, int size, double* real, int* integers) {
  const int k = std::min(n, m);
  if constexpr (is_real<S>)
    return LAPACKE_dgesdd_work(by_columns, 'S', n, m, a, leading(n), s, u, leading(n), vh, leading(k), work, size, integers);
  else
    return LAPACKE_zgesdd_work(by_columns, 'S', n, m, raw(a), leading(n), s, raw(u), leading(n), raw(vh), leading(k), raw(work),
                               size, real, integers);
}
template <class S>
int call_svd_by_qr(int n, int m, S* a, double* s, S* u, S* vh, S* work, int size, double* real) {
  const int k = std::min(n, m);
  if constexpr (is_real<S>)
    return LAPACKE_dgesvd_work(by_columns, 'S', 'S', n, m, a, leading(n), s, u, leading(n), vh, leading(k), work, size);
  else
    return LAPACKE_zgesvd_work(by_columns, 'S', 'S', n, m, raw(a), leading(n), s, raw(u), leading(n), raw(vh), leading(k),
                               raw(work), size, real);
}

}  // namespace

template <class S>
void Workspace<S>::reserve_eigen(std::int64_t n) {
  S size{}, none{};
  double unused = 0;
  call_eigen(narrow(n), &none, &unused, &size, -1, &unused);
  grow(work, first(size));
  grow(real, static_cast<double>(3 * n));
}

template <class S>
void Workspace<S>::reserve_least_squares(std::int64_t n, std::int64_t right_sides) {
  S size{}, none{};
  double unused = 0, reals = 0;
  int count = 0, rank = 0;
  call_least_squares(narrow(n), narrow(right_sides), &none, &none, &unused, 0.0, &rank, &size, -1, &reals, &count);
  grow(work, first(size));
  grow(real, reals);
  grow(integers, static_cast<double>(count));
}

template <class S>
void Workspace<S>::reserve_qr(std::int64_t n, std::int64_t m) {
  S one{}, two{}, none{};
  call_qr(narrow(n), narrow(m), &none, &none, &one, -1);
  call_form_q(narrow(n), narrow(m), &none, &none, &two, -1);
  grow(work, std::max(first(one), first(two)) + static_cast<double>(m));  // the reflectors lie behind
}

template <class S>
void Workspace<S>::reserve_svd(std::int64_t n, std::int64_t m) {
  S one{}, two{}, none{};
  double unused = 0;
  int count = 0;
  const auto k = static_cast<double>(std::min(n, m)), larger = static_cast<double>(std::max(n, m));
  call_svd(narrow(n), narrow(m), &none, &unused, &none, &none, &one, -1, &unused, &count);
  call_svd_by_qr(narrow(n), narrow(m), &none, &unused, &none, &none, &two, -1, &unused);
  grow(work, std::max(first(one), first(two)));
  grow(real, k * std::max(5 * k + 7, 2 * larger + 2 * k + 1) + 5 * k);
  grow(integers, 8 * k);
}

template <class S>
bool eigen(std::int64_t n, S* a, double* values, Workspace<S>& w) {
  return call_eigen(narrow(n), a, values, w.work.data(), length(w), w.real.data()) == 0;
}

template <class S>
std::int64_t least_squares(std::int64_t n, std::int64_t m, S* a, S* b, double* values, double threshold, Workspace<S>& w) {
  int rank = 0;
  const int info = call_least_squares(narrow(n), narrow(m), a, b, values, threshold, &rank, w.work.data(), length(w), w.real.data(),
                                      w.integers.data());
  return info == 0 ? rank : -1;
}

template <class S>
bool cholesky(std::int64_t n, S* a) {
  if constexpr (is_real<S>) return LAPACKE_dpotrf_work(by_columns, 'L', narrow(n), a, leading(n)) == 0;
  else return LAPACKE_zpotrf_work(by_columns, 'L', narrow(n), raw(a), leading(n)) == 0;
}

template <class S>
void qr(std::int64_t n, std::int64_t m, S* a, S* r, Workspace<S>& w) {
  S* reflectors = w.work.data() + (w.work.size() - static_cast<std::size_t>(m));
  const int size = length(w) - narrow(m);
  int info = call_qr(narrow(n), narrow(m), a, reflectors, w.work.data(), size);
  for (std::int64_t column = 0; column < m; ++column)
    for (std::int64_t row = 0; row < m; ++row) r[row + column * m] = row <= column ? a[row + column * n] : S(0);
  if (info == 0) info = call_form_q(narrow(n), narrow(m), a, reflectors, w.work.data(), size);
  TYTO_ASSERT(info == 0);
}

template <class S>
bool svd(std::int64_t n, std::int64_t m, S* a, S* u, double* s, S* vh, S* copy, Workspace<S>& w) {
  std::copy(a, a + n * m, copy);
  if (call_svd(narrow(n), narrow(m), a, s, u, vh, w.work.data(), length(w), w.real.data(), w.integers.data()) == 0) return true;
  return call_svd_by_qr(narrow(n), narrow(m), copy, s, u, vh, w.work.data(), length(w), w.real.data()) == 0;
}

#define TYTO_INSTANTIATE(S)                                                                                   \
  template struct Workspace<S>;                                                                               \
  template bool eigen<S>(std::int64_t, S*, double*, Workspace<S>&);                                           \
  template std::int64_t least_squares<S>(std::int64_t, std::int64_t, S*, S*, double*, double, Workspace<S>&); \
  template bool cholesky<S>(std::int64_t, S*);                                                                \
  template void qr<S>(std::int64_t, std::int64_t, S*, S*, Workspace<S>&);                                     \
  template bool svd<S>(std::int64_t, std::int64_t, S*, S*, double*, S*, S*, Workspace<S>&);
TYTO_INSTANTIATE(double)
TYTO_INSTANTIATE(Complex)
#undef TYTO_INSTANTIATE

}  // namespace tyto::execute::plain
