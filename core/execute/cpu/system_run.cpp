// One system after another: matrix into scratch, right side into the place of the solution, then factorize and solve there.
#include "execute/cpu/system_run.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include "error/fail.hpp"
#include <fmt/format.h>

namespace tyto::execute::cpu {
namespace {

/// One system of a plan at work.
template <class T>
struct System {
  SystemPlan& plan;
  const T* source;  // matrix as it lies in its buffer
  const T* right;   // right side as it lies in its buffer
  T *a, *x, *values, *work;
  int *integers, *pivots;
  std::int64_t n, m, ldx;
  SpareRoom& spare;
  Workers& workers;

  System(SystemPlan& p, char* scratch, SpareRoom& room, Workers& threads)
      : plan(p),
        source(nullptr),
        right(nullptr),
        a(place(scratch, p.matrix)),
        x(place(scratch, p.solution)),
        values(place(scratch, p.values)),
        work(place(scratch, p.work)),
        integers(reinterpret_cast<int*>(scratch + p.integers)),
        pivots(reinterpret_cast<int*>(scratch + p.pivots)),
        n(p.order),
        m(p.right_sides),
        ldx(p.leading),
        spare(room),
        workers(threads) {}

  static T* place(char* scratch, std::int64_t offset) { return reinterpret_cast<T*>(scratch + offset); }
  /// Element (unknown, right side) of x.
  T& at(std::int64_t i, std::int64_t j) { return plan.layout == Layout::by_columns ? x[i + j * ldx] : x[j + i * ldx]; }
  void read_matrix() { plan.matrix_in.run(a, source, workers); }
};

/// The spare room of a system whose matrix is singular.
template <class T>
struct MinimumNorm {
  T *solution, *copy, *work;
  int* integers;

  explicit MinimumNorm(System<T>& s) {
    const MinimumNormPlan& plan = s.plan.minimum_norm;
    char* room = s.spare.memory();
    solution = System<T>::place(room, plan.solution);
    copy = System<T>::place(room, plan.copy);
    work = System<T>::place(room, plan.work);
    integers = reinterpret_cast<int*>(room + plan.integers);
  }
};

template <class T>
constexpr T epsilon = std::numeric_limits<T>::epsilon();

template <class T>
void fill(System<T>& s, T value) {
  for (std::int64_t j = 0; j < s.m; ++j)
    for (std::int64_t i = 0; i < s.n; ++i) s.at(i, j) = value;
}

/// Sum of absolute values, column by column; the largest is the 1-norm. NaN if any element is not finite.
template <class T>
T one_norm(const System<T>& s) {
  T largest = 0;
  for (std::int64_t c = 0; c < s.n; ++c) {
    T sum = 0;
    for (std::int64_t r = 0; r < s.n; ++r) sum += std::abs(s.a[r + c * s.n]);
    if (!std::isfinite(sum)) return std::numeric_limits<T>::quiet_NaN();
    largest = std::max(largest, sum);
  }
  return largest;
}

template <class T>
void scale_rows_of_x(System<T>& s) {
  if (s.plan.layout == Layout::by_columns) {
    for (std::int64_t j = 0; j < s.m; ++j)
      for (std::int64_t i = 0; i < s.n; ++i) s.x[i + j * s.ldx] *= s.values[i];
  } else {
    for (std::int64_t i = 0; i < s.n; ++i)
      for (std::int64_t j = 0; j < s.m; ++j) s.x[j + i * s.ldx] *= s.values[i];
  }
}

/// Scales rows and columns by powers of two, which rounds nothing, so that the diagonal lies in [1/2, 2]. False if it is not
/// positive. `work` keeps the scaled diagonal.
template <class T>
bool scale_matrix(System<T>& s) {
  for (std::int64_t i = 0; i < s.n; ++i) {
    const T diagonal = s.a[i + i * s.n];
    if (!(diagonal > 0)) return false;
    s.values[i] = std::ldexp(T{1}, -static_cast<int>(std::lround(std::log2(static_cast<double>(diagonal)) / 2)));
  }
  for (std::int64_t c = 0; c < s.n; ++c)
    for (std::int64_t r = c; r < s.n; ++r) s.a[r + c * s.n] = s.a[r + c * s.n] * s.values[r] * s.values[c];
  return true;
}

/// What of a semidefinite matrix of largest entry or eigenvalue 1 is not told from 0: a Gram matrix carries the roundings of the
/// sums that it is made of.
template <class T>
T negligible(std::int64_t n) {
  return 64 * static_cast<T>(n) * epsilon<T>;
}

/// Pivots of the matrix with unit diagonal: each tells how much of its column the columns before it leave.
template <class T>
bool pivots_are_sound(const System<T>& s) {
  const T threshold = negligible<T>(s.n);
  for (std::int64_t i = 0; i < s.n; ++i) {
    const T factor = s.a[i + i * s.n];
    if (!(factor * factor >= threshold * s.work[i])) return false;
  }
  return true;
}

template <class T>
bool solve_by_cholesky(System<T>& s) {
  if (!scale_matrix(s)) return false;
  for (std::int64_t i = 0; i < s.n; ++i) s.work[i] = s.a[i + i * s.n];
  if (blas::potrf<T>(s.n, s.a, s.n) != 0 || !pivots_are_sound(s)) return false;
  scale_rows_of_x(s);
  const bool from_right = s.plan.layout == Layout::by_rows;
  blas::trsm<T>(from_right, from_right, s.n, s.m, s.a, s.n, s.x, s.ldx);
  blas::trsm<T>(from_right, !from_right, s.n, s.m, s.a, s.n, s.x, s.ldx);
  scale_rows_of_x(s);
  return true;
}

/// x = V inv(L) V' x over the eigenvalues that count. True if some do not.
template <class T>
bool solve_by_eigenpairs(System<T>& s) {
  s.read_matrix();
  const MinimumNorm<T> room(s);
  if (blas::syevd<T>(s.n, s.a, s.n, s.values, room.work, room.integers, s.plan.minimum_norm.sizes) != 0)
    fail(Code::third_party, fmt::format("the eigenvalues of a symmetric matrix of order {} were not found", s.n));
  const T threshold = negligible<T>(s.n) * std::max(s.values[s.n - 1], T{0});
  bool deficient = false;
  for (std::int64_t i = 0; i < s.n; ++i) {
    const bool counts = s.values[i] > threshold;
    deficient = deficient || !counts;
    s.values[i] = counts ? T{1} / s.values[i] : T{0};
  }
  const std::int64_t n = s.n, m = s.m;
  if (s.plan.layout == Layout::by_columns) {
    blas::gemm<T>(true, false, n, m, n, s.a, n, s.x, s.ldx, T{0}, room.copy, n);
    for (std::int64_t j = 0; j < m; ++j)
      for (std::int64_t i = 0; i < n; ++i) room.copy[i + j * n] *= s.values[i];
    blas::gemm<T>(false, false, n, m, n, s.a, n, room.copy, n, T{0}, s.x, s.ldx);
  } else {
    blas::gemm<T>(false, false, m, n, n, s.x, s.ldx, s.a, n, T{0}, room.copy, m);
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < m; ++j) room.copy[j + i * m] *= s.values[i];
    blas::gemm<T>(false, true, m, n, n, room.copy, m, s.a, n, T{0}, s.x, s.ldx);
  }
  return deficient;
}

/// Moves x of an inverse away from the matrix, over which it lies, and makes it the right sides of A x = 1.
template <class T>
void start_with_identity(System<T>& s, T* x) {
  s.x = x;
  for (std::int64_t j = 0; j < s.n; ++j)
    for (std::int64_t i = 0; i < s.n; ++i) s.at(i, j) = i == j ? T{1} : T{0};
}

/// to(c, r) = from(r, c), both column-major.
template <class T>
void transpose(std::int64_t rows, std::int64_t columns, const T* from, std::int64_t ld_from, T* to, std::int64_t ld_to) {
  for (std::int64_t c = 0; c < columns; ++c)
    for (std::int64_t r = 0; r < rows; ++r) to[c + r * ld_to] = from[r + c * ld_from];
}

/// Least squares of minimum norm over x. True if the rank is below n.
template <class T>
bool solve_by_singular_values(System<T>& s) {
  s.read_matrix();
  const MinimumNorm<T> room(s);
  const bool by_rows = s.plan.layout == Layout::by_rows;
  if (s.plan.is_inverse) start_with_identity(s, room.solution);
  if (by_rows) transpose(s.m, s.n, s.x, s.ldx, room.solution, s.n);
  T* x = by_rows ? room.solution : s.x;
  int rank = 0;
  const T threshold = static_cast<T>(s.n) * epsilon<T>;
  if (blas::gelsd<T>(s.n, s.m, s.a, s.n, x, by_rows ? s.n : s.ldx, s.values, threshold, &rank, room.work, room.integers,
                     s.plan.minimum_norm.sizes) != 0)
    fail(Code::third_party, fmt::format("the singular values of a matrix of order {} were not found", s.n));
  if (by_rows) transpose(s.n, s.m, x, s.n, s.x, s.ldx);
  return rank < s.n;
}

template <class T>
bool solve_general(System<T>& s, T norm) {
  const T threshold = static_cast<T>(s.n) * epsilon<T>;
  const bool sound =
      blas::getrf<T>(s.n, s.a, s.n, s.pivots) == 0 && blas::gecon<T>(s.n, s.a, s.n, norm, s.work, s.integers) >= threshold;
  if (!sound) return solve_by_singular_values(s);
  if (s.plan.is_inverse) blas::getri<T>(s.n, s.a, s.n, s.pivots, s.work, s.plan.inverse);
  else if (s.plan.layout == Layout::by_rows) blas::getrs_from_right<T>(s.n, s.m, s.a, s.n, s.pivots, s.x, s.ldx);
  else blas::getrs<T>(s.n, s.m, s.a, s.n, s.pivots, s.x, s.ldx);
  return false;
}

/// Returns whether the matrix was singular.
template <class T>
bool solve_one(System<T>& s) {
  s.read_matrix();
  if (!s.plan.is_inverse) s.plan.right_in.run(s.x, s.right, s.workers);
  const T norm = one_norm(s);
  if (!std::isfinite(norm)) {
    fill(s, std::numeric_limits<T>::quiet_NaN());
    return false;
  }
  if (!s.plan.semidefinite) return solve_general(s, norm);
  return !solve_by_cholesky(s) && solve_by_eigenpairs(s);
}

}  // namespace

template <class T>
SystemCounts run(SystemPlan& plan, T* out, const T* matrix, const T* right, char* scratch, SpareRoom& spare, Workers& workers) {
  SystemCounts counts;
  for (const Loop& loop : plan.systems)
    if (loop.extent == 0) return counts;
  if (plan.order == 0 || plan.right_sides == 0) return counts;
  TYTO_ASSERT(spare.bytes() >= plan.minimum_norm.bytes);
  System<T> system(plan, scratch, spare, workers);
  for_each_point(plan.systems, plan.index.data(), [&](const Offsets& at, bool) {
    system.source = matrix + at[Place::left];
    system.right = plan.is_inverse ? nullptr : right + at[Place::right];
    system.x = plan.in_place ? out + at[Place::out] : System<T>::place(scratch, plan.solution);
    counts.rank_deficient += solve_one(system) ? 1 : 0;
    if (!plan.in_place) plan.solution_out.run(out + at[Place::out], static_cast<const T*>(system.x), workers);
    counts.flops += plan.flops;
  });
  return counts;
}

template SystemCounts run<double>(SystemPlan&, double*, const double*, const double*, char*, SpareRoom&, Workers&);
template SystemCounts run<float>(SystemPlan&, float*, const float*, const float*, char*, SpareRoom&, Workers&);

}  // namespace tyto::execute::cpu
