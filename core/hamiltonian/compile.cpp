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

/// Splits the first site off what is left of all strings: `states` holds it for each value of the bond on the left, and becomes
/// the same for the bond on the right.
Site split_off(std::int64_t site, std::int64_t elements, const Remainders& remainders, double scale,
               std::vector<CoefficientRow>& states) {
  std::vector<CoefficientRow> rows;
  std::vector<std::pair<std::int64_t, std::int64_t>> labels;  // (value of the left bond, element) of each row
  for (std::size_t a = 0; a < states.size(); ++a) {
    std::vector<CoefficientRow> by_element(static_cast<std::size_t>(elements));
    for (const Coefficient& c : states[a]) {
      const Remainders::Remainder& r = remainders[c.column];
      if (r.first.site == site) by_element[static_cast<std::size_t>(r.first.element)].push_back({r.rest, c.value, c.magnitude});
      else by_element[0].push_back(c);
    }
    for (std::int64_t e = 0; e < elements; ++e) {
      CoefficientRow& row = by_element[static_cast<std::size_t>(e)];
      if (row.empty()) continue;
      rows.push_back(std::move(row));
      labels.emplace_back(static_cast<std::int64_t>(a), e);
    }
  }
  RankFactorization f = rank_factorization(rows, scale);
  Site split{.left = static_cast<std::int64_t>(states.size()), .right = static_cast<std::int64_t>(f.right.size())};
  for (const RankFactorization::Element& e : f.left) {
    const auto& [a, element] = labels[static_cast<std::size_t>(e.row)];
    split.entries.push_back({a, e.state, element, e.value});
  }
  states = std::move(f.right);
  return split;
}

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
  Remainders remainders;
  std::vector<CoefficientRow> states(1);
  double scale = 0;
  for (const WeightedString& s : normal.strings) {
    states[0].push_back({remainders.number_of(s.letters), s.coefficient, s.magnitude});
    scale = std::max(scale, std::abs(s.coefficient));
  }
  const bool is_zero = normal.strings.empty();
  std::vector<Site> sites;
  for (std::int64_t site = 1; site <= sum.sites(); ++site) {
    const auto elements = static_cast<std::int64_t>(normal.elements[static_cast<std::size_t>(site - 1)].size());
    sites.push_back(is_zero ? Site{} : split_off(site, elements, remainders, scale, states));
  }
  bool is_real = true;
  for (const Site& site : sites)
    for (const Site::Entry& e : site.entries) is_real = is_real && e.value.imag() == 0;
  Mpo mpo;
  for (std::size_t k = 0; k < sites.size(); ++k)
    mpo.tensors.push_back(is_real ? dense<double>(sites[k], normal.elements[k]) : dense<Complex>(sites[k], normal.elements[k]));
  return mpo;
}

}  // namespace tyto::hamiltonian
