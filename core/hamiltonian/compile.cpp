// From an operator sum to its matrix product operator, bond by bond from the left.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include "hamiltonian/mpo.hpp"
#include "hamiltonian/rank_factorization.hpp"
#include "hamiltonian/strings.hpp"

namespace tyto::hamiltonian {

namespace {

/// What strings do from a site on, numbered: equal remainders of strings have one number. 0 is the identity up to the end.
class Remainders {
 public:
  struct Remainder {
    Letter first;
    std::int64_t rest = 0;
  };
  std::int64_t number_of(const String& letters) {
    std::int64_t rest = 0;
    for (std::size_t k = letters.size(); k-- > 0;) {
      const auto [at, is_new] = numbers_.try_emplace({letters[k], rest}, static_cast<std::int64_t>(remainders_.size()));
      if (is_new) remainders_.push_back({letters[k], rest});
      rest = at->second;
    }
    return rest;
  }
  const Remainder& operator[](std::int64_t number) const { return remainders_[static_cast<std::size_t>(number)]; }

 private:
  std::map<std::pair<Letter, std::int64_t>, std::int64_t> numbers_;
  std::vector<Remainder> remainders_{{{std::numeric_limits<std::int64_t>::max(), 0}, 0}};
};

/// The tensor of one site as a sum of value * element of the site's basis at (left, right).
struct Site {
  struct Entry {
    std::int64_t left, right, element;
    Complex value;
  };
  std::int64_t left = 1, right = 1;
  std::vector<Entry> entries = {};
};

/// Goes from site to site; what is left of the strings is split at each.
class Sweep {
 public:
  Sweep(const std::vector<WeightedString>& strings, std::int64_t sites) : sites_(sites) {
    for (const WeightedString& s : strings) {
      unstarted_.push_back({remainders_.number_of(s.letters), s.coefficient, s.magnitude});
      scale_ = std::max(scale_, std::abs(s.coefficient));
    }
    std::stable_sort(unstarted_.begin(), unstarted_.end(), [&](const Coefficient& a, const Coefficient& b) {
      return remainders_[a.column].first.site < remainders_[b.column].first.site;
    });
  }

  /// The tensor of the next site, whose basis has this many elements.
  Site next(std::int64_t elements) {
    ++site_;
    std::vector<CoefficientRow> rows;
    std::vector<std::pair<std::int64_t, std::int64_t>> labels;  // (value of the left bond, element) of each row
    Site split{.left = static_cast<std::int64_t>(states_.size()) + (has_unstarted_ ? 1 : 0)};
    if (has_unstarted_) add_rows(0, starting(), elements, rows, labels);
    for (std::size_t a = 0; a < states_.size(); ++a)
      add_rows(static_cast<std::int64_t>(a) + (has_unstarted_ ? 1 : 0), states_[a], elements, rows, labels);
    if (has_unstarted_ && !stays_unstarted(rows)) join_unstarted(rows, labels);
    RankFactorization f = rank_factorization(rows, scale_);
    const std::int64_t first_state = has_unstarted_ ? 1 : 0;
    split.right = static_cast<std::int64_t>(f.right.size()) + first_state;
    if (has_unstarted_) split.entries.push_back({0, 0, 0, 1.0});
    for (const RankFactorization::Element& e : f.left) {
      const auto& [a, element] = labels[static_cast<std::size_t>(e.row)];
      split.entries.push_back({a, e.state + first_state, element, e.value});
    }
    states_ = std::move(f.right);
    return split;
  }

 private:
  /// Takes the strings that begin at this site.
  CoefficientRow starting() {
    CoefficientRow row;
    for (; first_ < unstarted_.size() && remainders_[unstarted_[first_].column].first.site == site_; ++first_)
      row.push_back(unstarted_[first_]);
    return row;
  }

  /// The rows of one value of the left bond, by what is done at this site.
  void add_rows(std::int64_t left, const CoefficientRow& state, std::int64_t elements, std::vector<CoefficientRow>& rows,
                std::vector<std::pair<std::int64_t, std::int64_t>>& labels) const {
    std::vector<CoefficientRow> by_element(static_cast<std::size_t>(elements));
    for (const Coefficient& c : state) {
      const Remainders::Remainder& r = remainders_[c.column];
      if (r.first.site == site_) by_element[static_cast<std::size_t>(r.first.element)].push_back({r.rest, c.value, c.magnitude});
      else by_element[0].push_back(c);
    }
    for (std::int64_t e = 0; e < elements; ++e) {
      CoefficientRow& row = by_element[static_cast<std::size_t>(e)];
      if (row.empty()) continue;
      rows.push_back(std::move(row));
      labels.emplace_back(left, e);
    }
  }

  /// Whether the strings that begin further right are more than all other rows have columns. Then one of them is a column of their
  /// row alone, which makes the row a state as it is (rank_factorization.hpp, step 1): it need not be looked at.
  bool stays_unstarted(const std::vector<CoefficientRow>& rows) const {
    if (site_ == sites_) return false;  // what is left is a constant
    std::size_t columns = 0;
    for (const CoefficientRow& row : rows) columns += row.size();
    std::size_t strong = 0;
    constexpr double eps = std::numeric_limits<double>::epsilon();
    for (std::size_t k = first_; k < unstarted_.size() && strong <= columns; ++k)
      if (std::abs(unstarted_[k].value) > eps * eps * scale_) ++strong;
    return strong > columns;
  }

  void join_unstarted(std::vector<CoefficientRow>& rows, std::vector<std::pair<std::int64_t, std::int64_t>>& labels) {
    has_unstarted_ = false;
    if (first_ == unstarted_.size()) return;
    rows.insert(rows.begin(), CoefficientRow(unstarted_.begin() + static_cast<std::ptrdiff_t>(first_), unstarted_.end()));
    labels.insert(labels.begin(), {0, 0});
  }

  Remainders remainders_;
  CoefficientRow unstarted_;   ///< all strings, by their first site
  std::size_t first_ = 0;      ///< of those that begin right of the bond
  bool has_unstarted_ = true;  ///< these are value 0 of the bond and not among the states
  std::vector<CoefficientRow> states_;
  std::int64_t sites_, site_ = 0;
  double scale_ = 0;
};

template <class T>
T number(Complex value) {
  if constexpr (std::is_same_v<T, double>) return value.real();
  else return value;
}

template <class T>
tensor::Dense dense(const Site& site, const std::vector<RealMatrix>& elements) {
  const std::size_t size = elements.front().size();
  const auto d = static_cast<std::int64_t>(std::lround(std::sqrt(static_cast<double>(size))));
  tensor::Dense values = tensor::Dense::zeros(dtype_of<T>(), {site.left, site.right, d, d});
  T* const to = values.view().as<T>();
  for (const Site::Entry& e : site.entries) {
    const RealMatrix& matrix = elements[static_cast<std::size_t>(e.element)];
    T* const block = to + (e.left * site.right + e.right) * static_cast<std::int64_t>(size);
    for (std::size_t k = 0; k < size; ++k) block[k] += number<T>(e.value) * matrix[k];
  }
  return values;
}

}  // namespace

Mpo compile(const OperatorSum& sum) {
  const StringSum normal = strings_of(sum);
  const bool is_zero = normal.strings.empty();
  Sweep sweep(normal.strings, sum.sites());
  std::vector<Site> sites;
  for (const std::vector<RealMatrix>& elements : normal.elements)
    sites.push_back(is_zero ? Site{} : sweep.next(static_cast<std::int64_t>(elements.size())));
  bool is_real = true;
  for (const Site& site : sites)
    for (const Site::Entry& e : site.entries) is_real = is_real && e.value.imag() == 0;
  Mpo mpo;
  for (std::size_t k = 0; k < sites.size(); ++k)
    mpo.tensors.push_back(is_real ? dense<double>(sites[k], normal.elements[k]) : dense<Complex>(sites[k], normal.elements[k]));
  return mpo;
}

}  // namespace tyto::hamiltonian
