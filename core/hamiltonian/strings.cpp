#include "hamiltonian/strings.hpp"
#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include "error/fail.hpp"
#include "hamiltonian/mpo.hpp"

namespace tyto::hamiltonian {

namespace {

/// A distinct product of operators on one site. All named operators are real or imaginary, so their products are, too.
struct Symbol {
  RealMatrix matrix, transposed;
  bool is_imaginary = false;  ///< the product is i times the matrix
  bool is_zero = false;
  std::int64_t longest_string = 0;  ///< letters of the longest term that it occurs in
  LocalBasis::Combination expansion = {}, transposed_expansion = {};
};

/// A letter for every site where a term is not obviously the identity.
using Word = std::vector<std::pair<std::int64_t, std::int64_t>>;  // (site, number of its symbol)

Symbol symbol_of(const LocalMatrix& product) {
  const auto is_not_real = [](const Complex& v) { return v.imag() != 0; };
  const auto is_not_zero = [](const Complex& v) { return v != Complex{0}; };
  const std::vector<Complex>& values = product.values();
  Symbol symbol;
  symbol.is_imaginary = std::any_of(values.begin(), values.end(), is_not_real);
  symbol.is_zero = std::none_of(values.begin(), values.end(), is_not_zero);
  const LocalMatrix mirror = adjoint(product);
  for (std::size_t k = 0; k < values.size(); ++k) {
    TYTO_ASSERT(!symbol.is_imaginary || values[k].real() == 0);
    symbol.matrix.push_back(symbol.is_imaginary ? values[k].imag() : values[k].real());
    symbol.transposed.push_back(symbol.is_imaginary ? -mirror.values()[k].imag() : mirror.values()[k].real());
  }
  return symbol;
}

/// The symbols of one site, by the operators of the product in order.
class Alphabet {
 public:
  explicit Alphabet(const LocalSpace& space) : space_(&space), basis_(space.dimension()) {}

  std::int64_t number_of(const std::vector<std::int64_t>& operators) {
    const auto [at, is_new] = numbers_.try_emplace(operators, static_cast<std::int64_t>(symbols_.size()));
    if (is_new) {
      LocalMatrix product = LocalMatrix::identity(space_->dimension());
      for (const std::int64_t o : operators) product = product * space_->operators[static_cast<std::size_t>(o)].matrix;
      symbols_.push_back(symbol_of(product));
    }
    return at->second;
  }
  Symbol& operator[](std::int64_t number) { return symbols_[static_cast<std::size_t>(number)]; }

  /// Chooses the basis. Matrices that occur in long strings come first, so that these stay single strings (signs of fermions above
  /// all); then those with few elements, which keep the tensors sparse.
  void choose_basis() {
    struct Candidate {
      std::int64_t longest_string, nonzeros;
      std::size_t symbol;
      bool is_transposed;
    };
    std::vector<Candidate> candidates;
    for (std::size_t s = 0; s < symbols_.size(); ++s) {
      const RealMatrix& matrix = symbols_[s].matrix;
      const auto zeros = std::count(matrix.begin(), matrix.end(), 0.0);
      for (const bool is_transposed : {false, true})
        candidates.push_back({symbols_[s].longest_string, static_cast<std::int64_t>(matrix.size()) - zeros, s, is_transposed});
    }
    std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
      return std::pair(-a.longest_string, a.nonzeros) < std::pair(-b.longest_string, b.nonzeros);
    });
    for (const Candidate& c : candidates) {
      Symbol& symbol = symbols_[c.symbol];
      const RealMatrix& matrix = c.is_transposed ? symbol.transposed : symbol.matrix;
      LocalBasis::Combination expansion = basis_.expand(matrix);
      (c.is_transposed ? symbol.transposed_expansion : symbol.expansion) = std::move(expansion);
    }
  }
  /// Makes a combination of several elements an element of its own.
  void keep(Symbol& symbol) {
    if (symbol.expansion.size() < 2) return;
    symbol.expansion = basis_.keep(symbol.matrix);
    symbol.transposed_expansion = basis_.keep(symbol.transposed);
  }
  const std::vector<RealMatrix>& elements() const { return basis_.elements(); }

 private:
  const LocalSpace* space_;
  LocalBasis basis_;
  std::map<std::vector<std::int64_t>, std::int64_t> numbers_;
  std::vector<Symbol> symbols_;
};

constexpr std::int64_t sign_operator = 1;  // F, among the operators of every space

/// A factor of a term: its site, and its number among the operators there.
struct Factor {
  std::int64_t site, number;
  bool is_odd;
};

std::vector<Factor> factors_of(const Term& term, const std::vector<LocalSpace>& spaces) {
  std::vector<Factor> factors;
  for (std::size_t k = 0; k < term.sites.size(); ++k) {
    const LocalSpace& space = spaces[static_cast<std::size_t>(term.sites[k] - 1)];
    const std::int64_t number = space.find(term.operators[k]);
    factors.push_back({term.sites[k], number, space.operators[static_cast<std::size_t>(number)].is_odd});
  }
  return factors;
}

/// What factors are on one of their sites, with the signs of the odd ones to its right, in order.
std::vector<std::int64_t> product_on(std::int64_t site, const std::vector<Factor>& factors) {
  std::vector<std::int64_t> product;
  bool is_sign_due = false;
  for (const Factor& factor : factors) {
    if (factor.site > site && factor.is_odd) is_sign_due = !is_sign_due;
    if (factor.site != site) continue;
    if (std::exchange(is_sign_due, false)) product.push_back(sign_operator);
    product.push_back(factor.number);
  }
  if (is_sign_due) product.push_back(sign_operator);
  return product;
}

/// A term as matrices on sites: an odd operator at j is its matrix at j times F at all sites i < j.
Word word_of(const Term& term, const std::vector<LocalSpace>& spaces, std::vector<Alphabet>& alphabets) {
  const std::vector<Factor> factors = factors_of(term, spaces);
  std::vector<std::int64_t> sites = term.sites;
  std::sort(sites.begin(), sites.end());
  sites.erase(std::unique(sites.begin(), sites.end()), sites.end());
  Word word;
  const auto append = [&](std::int64_t site, const std::vector<std::int64_t>& product) {
    word.emplace_back(site, alphabets[static_cast<std::size_t>(site - 1)].number_of(product));
  };
  for (std::size_t k = 0; k < sites.size(); ++k) {
    const auto is_right_and_odd = [&](const Factor& f) { return f.site >= sites[k] && f.is_odd; };
    const bool has_sign = std::count_if(factors.begin(), factors.end(), is_right_and_odd) % 2 != 0;
    for (std::int64_t between = k == 0 ? 1 : sites[k - 1] + 1; has_sign && between < sites[k]; ++between)
      append(between, {sign_operator});
    append(sites[k], product_on(sites[k], factors));
  }
  return word;
}

/// Adds up coefficients of equal strings.
class Merging {
 public:
  void add(const String& letters, Complex coefficient, std::int64_t term) {
    Sum& sum = sums_[letters];
    if (sum.contributions++ == 0) sum.term = term;
    sum.value += coefficient;
    sum.magnitude += std::abs(coefficient);
  }

  std::vector<WeightedString> result() const {
    std::vector<WeightedString> strings;
    for (const auto& [letters, sum] : sums_) {
      const double eps = std::numeric_limits<double>::epsilon();
      const double rounding = static_cast<double>(4 + sum.contributions) * eps * sum.magnitude;
      const auto cleaned = [&](double part) { return std::abs(part) <= rounding ? 0.0 : part; };
      const Complex value{cleaned(sum.value.real()), cleaned(sum.value.imag())};
      if (value != Complex{0}) strings.push_back({letters, value, sum.magnitude, sum.term});
    }
    return strings;
  }

 private:
  struct Sum {
    Complex value = 0;
    double magnitude = 0;
    std::int64_t contributions = 0, term = 0;
  };
  std::map<String, Sum> sums_;
};

class NormalForm {
 public:
  explicit NormalForm(const OperatorSum& sum) : sum_(sum) {
    require_valid(sum);
    for (const LocalSpace& space : sum.spaces) alphabets_.emplace_back(space);
    for (const Term& term : sum.terms) words_.push_back(word_of(term, sum.spaces, alphabets_));
    for (const Word& word : words_)
      for (const auto& [site, number] : word) {
        Symbol& symbol = alphabet(site)[number];
        symbol.longest_string = std::max(symbol.longest_string, static_cast<std::int64_t>(word.size()));
      }
    for (Alphabet& a : alphabets_) a.choose_basis();
    for (const Word& word : words_) {
      double strings = 1;
      for (const auto& [site, number] : word) strings *= static_cast<double>(alphabet(site)[number].expansion.size());
      if (strings <= most_strings_of_a_term) continue;
      for (const auto& [site, number] : word) alphabet(site).keep(alphabet(site)[number]);
    }
  }

  void add_terms(Merging& merging) {
    for (std::size_t t = 0; t < words_.size(); ++t) add(t, sum_.terms[t].coefficient, false, merging);
  }
  void subtract_adjoints(Merging& merging) {
    for (std::size_t t = 0; t < words_.size(); ++t) add(t, -std::conj(sum_.terms[t].coefficient), true, merging);
  }
  StringSum result(const Merging& merging) const {
    StringSum normal{{}, merging.result()};
    for (const Alphabet& a : alphabets_) normal.elements.push_back(a.elements());
    return normal;
  }

 private:
  Alphabet& alphabet(std::int64_t site) { return alphabets_[static_cast<std::size_t>(site - 1)]; }

  void add(std::size_t term, Complex coefficient, bool is_adjoint, Merging& merging) {
    for (const auto& [site, number] : words_[term]) {
      const Symbol& symbol = alphabet(site)[number];
      if (symbol.is_zero) return;
      if (symbol.is_imaginary) coefficient *= Complex{0, is_adjoint ? -1.0 : 1.0};
    }
    String letters;
    expand(words_[term], 0, coefficient, is_adjoint, static_cast<std::int64_t>(term), letters, merging);
  }

  /// The product of the combinations of all letters, from letter k on.
  void expand(const Word& word, std::size_t k, Complex coefficient, bool is_adjoint, std::int64_t term, String& letters,
              Merging& merging) {
    if (k == word.size()) {
      if (coefficient != Complex{0}) merging.add(letters, coefficient, term);
      return;
    }
    const auto& [site, number] = word[k];
    const Symbol& symbol = alphabet(site)[number];
    for (const auto& [element, factor] : is_adjoint ? symbol.transposed_expansion : symbol.expansion) {
      if (element != 0) letters.push_back({site, element});
      expand(word, k + 1, coefficient * factor, is_adjoint, term, letters, merging);
      if (element != 0) letters.pop_back();
    }
  }

  const OperatorSum& sum_;
  std::vector<Alphabet> alphabets_;
  std::vector<Word> words_;
};

}  // namespace

StringSum strings_of(const OperatorSum& sum) {
  NormalForm form(sum);
  Merging merging;
  form.add_terms(merging);
  return form.result(merging);
}

StringSum antihermitian_strings(const OperatorSum& sum) {
  NormalForm form(sum);
  Merging merging;
  form.add_terms(merging);
  form.subtract_adjoints(merging);
  return form.result(merging);
}

}  // namespace tyto::hamiltonian
