#include "plan/elimination.hpp"
#include <algorithm>
#include <limits>
#include <set>
#include "error/fail.hpp"

namespace tyto::plan {
namespace {

using Variables = std::vector<std::int32_t>;

std::size_t place_in(const Term& term, const Variables& domains, const Variables& choices) {
  std::size_t place = 0;
  for (const std::int32_t v : term.variables) {
    const auto at = static_cast<std::size_t>(v);
    place = place * static_cast<std::size_t>(domains[at]) + static_cast<std::size_t>(choices[at]);
  }
  return place;
}

/// Moves to the next choices of the variables, the last one fastest; false after the last.
bool advance(const Variables& variables, const Variables& domains, Variables& choices) {
  for (auto v = variables.rbegin(); v != variables.rend(); ++v) {
    const auto at = static_cast<std::size_t>(*v);
    if (++choices[at] < domains[at]) return true;
    choices[at] = 0;
  }
  return false;
}

class Elimination {
 public:
  Elimination(const Variables& domains, const std::vector<Term>& terms, std::int64_t largest)
      : domains_(domains), largest_(static_cast<double>(largest)), terms_(terms), touching_(domains.size()) {
    for (std::size_t t = 0; t < terms_.size(); ++t) enter(t);
    is_gone_.assign(domains.size(), 0);
    for (std::size_t v = 0; v < domains.size(); ++v) size_.push_back(size_without(static_cast<std::int32_t>(v)));
  }

  /// The choices, and whether they are known to be the best.
  bool run(Variables& choices) {
    bool is_exact = true;
    for (std::size_t left = domains_.size(); left > 0; --left) {
      const auto least = std::min_element(size_.begin(), size_.end()) - size_.begin();
      const auto v = static_cast<std::int32_t>(least);
      if (size_[static_cast<std::size_t>(v)] <= largest_) eliminate(v);
      else is_exact = false, fix(most_entangled());
    }
    choices.assign(domains_.size(), 0);
    for (auto it = eliminated_.rbegin(); it != eliminated_.rend(); ++it)
      choices[static_cast<std::size_t>(it->variable)] = it->best[place_in({it->neighbours, {}}, domains_, choices)];
    return is_exact;
  }

 private:
  struct Eliminated {
    std::int32_t variable;
    Variables neighbours;
    std::vector<std::int32_t> best;  ///< choice of the variable for each choice of its neighbours
  };

  void enter(std::size_t term) {
    for (const std::int32_t v : terms_[term].variables) touching_[static_cast<std::size_t>(v)].insert(term);
  }
  void leave(std::size_t term) {
    for (const std::int32_t v : terms_[term].variables) touching_[static_cast<std::size_t>(v)].erase(term);
  }
  Variables neighbours_of(std::int32_t v) const {
    Variables all;
    for (const std::size_t term : touching_[static_cast<std::size_t>(v)])
      all.insert(all.end(), terms_[term].variables.begin(), terms_[term].variables.end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    all.erase(std::remove(all.begin(), all.end(), v), all.end());
    return all;
  }
  double size_of(const Variables& variables) const {
    double size = 1;
    for (const std::int32_t v : variables) size *= static_cast<double>(domains_[static_cast<std::size_t>(v)]);
    return size;
  }
  /// Choices to walk through to eliminate the variable.
  double size_without(std::int32_t v) const {
    return size_of(neighbours_of(v)) * static_cast<double>(domains_[static_cast<std::size_t>(v)]);
  }
  void done(std::int32_t v, const Variables& neighbours) {
    size_[static_cast<std::size_t>(v)] = std::numeric_limits<double>::infinity();
    is_gone_[static_cast<std::size_t>(v)] = 1;
    for (const std::int32_t n : neighbours) size_[static_cast<std::size_t>(n)] = size_without(n);
  }

  void eliminate(std::int32_t v) {
    const Variables neighbours = neighbours_of(v);
    const std::set<std::size_t> joined = touching_[static_cast<std::size_t>(v)];
    Eliminated made{v, neighbours, {}};
    Term rest{neighbours, {}};
    Variables choices(domains_.size(), 0);
    std::int32_t& own = choices[static_cast<std::size_t>(v)];
    do {
      Cost least{std::numeric_limits<std::int64_t>::max(), 0};
      std::int32_t best = 0;
      for (own = 0; own < domains_[static_cast<std::size_t>(v)]; ++own) {
        Cost sum;
        for (const std::size_t term : joined) sum += terms_[term].table[place_in(terms_[term], domains_, choices)];
        if (sum < least) least = sum, best = own;
      }
      own = 0;
      rest.table.push_back(least), made.best.push_back(best);
    } while (advance(neighbours, domains_, choices));
    replace(joined, std::move(rest));
    eliminated_.push_back(std::move(made));
    done(v, neighbours);
  }
  /// Takes choice 0: of each term that touches the variable the part with that choice stays.
  void fix(std::int32_t v) {
    const Variables neighbours = neighbours_of(v);
    for (const std::size_t term : std::set<std::size_t>(touching_[static_cast<std::size_t>(v)])) {
      Term rest{terms_[term].variables, {}};
      rest.variables.erase(std::find(rest.variables.begin(), rest.variables.end(), v));
      Variables choices(domains_.size(), 0);
      do rest.table.push_back(terms_[term].table[place_in(terms_[term], domains_, choices)]);
      while (advance(rest.variables, domains_, choices));
      replace({term}, std::move(rest));
    }
    done(v, neighbours);
  }
  void replace(const std::set<std::size_t>& old, Term made) {
    for (const std::size_t term : old) leave(term), terms_[term] = {};
    terms_.push_back(std::move(made));
    enter(terms_.size() - 1);
  }
  /// The variable whose neighbours have the most choices together.
  std::int32_t most_entangled() const {
    std::int32_t most = -1;
    for (std::size_t v = 0; v < size_.size(); ++v)
      if (is_gone_[v] == 0 && (most < 0 || size_[v] > size_[static_cast<std::size_t>(most)])) most = static_cast<std::int32_t>(v);
    return most;
  }

  const Variables& domains_;
  double largest_;
  std::vector<Term> terms_;
  std::vector<std::set<std::size_t>> touching_;  ///< by variable: terms in which it is
  std::vector<double> size_;                     ///< by variable, see size_without; infinite once it is gone
  std::vector<char> is_gone_;
  std::vector<Eliminated> eliminated_;
};

void improve(const Variables& domains, const std::vector<Term>& terms, Variables& choices) {
  std::vector<std::vector<std::size_t>> touching(domains.size());
  for (std::size_t t = 0; t < terms.size(); ++t)
    for (const std::int32_t v : terms[t].variables) touching[static_cast<std::size_t>(v)].push_back(t);
  for (bool changed = true; changed;) {  // each change makes the sum smaller, so this ends
    changed = false;
    for (std::size_t v = 0; v < domains.size(); ++v) {
      const auto sum = [&](std::int32_t choice) {
        choices[v] = choice;
        Cost cost;
        for (const std::size_t t : touching[v]) cost += terms[t].table[place_in(terms[t], domains, choices)];
        return cost;
      };
      const std::int32_t before = choices[v];
      std::int32_t best = before;
      Cost least = sum(before);
      for (std::int32_t choice = 0; choice < domains[v]; ++choice)
        if (const Cost cost = sum(choice); cost < least) least = cost, best = choice;
      choices[v] = best;
      changed = changed || best != before;
    }
  }
}

}  // namespace

Cost cost_of(const Variables& domains, const std::vector<Term>& terms, const Variables& choices) {
  Cost sum;
  for (const Term& term : terms) sum += term.table[place_in(term, domains, choices)];
  return sum;
}

Variables cheapest(const Variables& domains, const std::vector<Term>& terms, std::int64_t largest_table) {
  for (const Term& term : terms) {
    std::size_t size = 1;
    for (const std::int32_t v : term.variables) size *= static_cast<std::size_t>(domains[static_cast<std::size_t>(v)]);
    TYTO_ASSERT(term.table.size() == size);
  }
  Variables choices;
  if (!Elimination(domains, terms, largest_table).run(choices)) improve(domains, terms, choices);
  return choices;
}

}  // namespace tyto::plan
