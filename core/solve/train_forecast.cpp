#include "solve/train_forecast.hpp"
#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "solve/messages.hpp"

namespace tyto::solve {

namespace {

/// What is known about a label: its kind as in NamedRequest, and where it is along the line.
struct LabelFacts {
  char kind = 'w';
  bool of_bra = false;  ///< only cores of the bra have it
  std::int64_t position = 0;
};
using Facts = std::map<einsum::Label, LabelFacts>;

/// The labels that a core at site k has.
void note_core(Facts& facts, const einsum::Labels& labels, bool of_bra, std::int64_t k) {
  for (std::size_t axis = 0; axis < labels.size(); ++axis) {
    const bool is_first = axis == 0, is_last = axis + 1 == labels.size();
    const LabelFacts own{is_first || is_last ? 'D' : 'd', of_bra, k + (is_last ? 1 : 0)};
    const auto [at, is_new] = facts.try_emplace(labels[axis], own);
    if (!is_new) at->second.of_bra = at->second.of_bra && of_bra;
  }
}

/// `form` says which cores are those of the bra, in real networks too; null: those that are conjugated.
Facts facts_of(const Setup& setup, const Network& network, const Rayleigh::Form* form) {
  Facts facts;
  for (std::size_t k = 0; k < network.sites.size(); ++k) {
    const auto site = static_cast<std::int64_t>(k);
    for (std::size_t n = 0; n < network.sites[k].size(); ++n) {
      const Network::Operand& o = network.sites[k][n];
      const bool of_bra = form != nullptr ? n == form->bra[k] : o.is_conjugated;
      if (setup.tensors[static_cast<std::size_t>(o.tensor)].varies) note_core(facts, o.labels, of_bra, site);
    }
    for (const Network::Operand& o : network.sites[k])
      for (const einsum::Label label : o.labels) facts.try_emplace(label, LabelFacts{'w', false, site + 1});
  }
  return facts;
}

/// Of a message from what it is made of: the one before, and the operands of one site. Where nothing is conjugated, the second core
/// is as good as the bra's.
Facts facts_of(const Setup& setup, const Product& message, bool from_left) {
  Facts facts;
  std::vector<const Factor*> cores;
  for (const Factor& f : message.factors)
    if (f.tensor >= 0 && setup.tensors[static_cast<std::size_t>(f.tensor)].varies) cores.push_back(&f);
  const bool has_bra = std::any_of(cores.begin(), cores.end(), [](const Factor* f) { return f->is_conjugated; });
  for (const Factor* f : cores) note_core(facts, f->labels, has_bra ? f->is_conjugated : f != cores.front(), 0);
  for (const Factor& f : message.factors)
    for (const einsum::Label label : f.labels)
      facts.try_emplace(label, LabelFacts{'w', false, einsum::contains(message.output, label) == from_left ? 1 : 0});
  return facts;
}

/// "psi" of "psi[3]".
std::string list_of(const std::string& name) { return name.ends_with("]") ? name.substr(0, name.rfind('[')) : name; }

std::string operand_name(const Setup& setup, const Factor& f) {
  switch (f.origin) {
    case Factor::Origin::left: return "L";
    case Factor::Origin::right: return "R";
    case Factor::Origin::block: return "theta";
    case Factor::Origin::tensor: break;
  }
  return list_of(setup.tensors[static_cast<std::size_t>(f.tensor)].name);
}

/// Names of labels, by label of the network: letters of a kind along the line; those of bra and ket at one place share a letter.
std::map<einsum::Label, std::string> label_names(const Product& product, const Facts& facts) {
  using Place = std::tuple<char, std::int64_t, bool, einsum::Label>;
  std::vector<Place> places;
  for (const Factor& f : product.factors)
    for (const einsum::Label label : f.labels) {
      const LabelFacts& of = facts.at(label);
      places.emplace_back(of.kind, of.position, of.of_bra, label);
    }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  const std::map<char, std::string> letters{{'D', "abcdefgh"}, {'d', "stuv"}, {'w', "wxyz"}};
  std::map<char, std::size_t> used;
  std::map<einsum::Label, std::string> names;
  std::string plain;  // of the ket at the place before
  Place before{' ', 0, false, -1};
  for (const Place& place : places) {
    const auto& [kind, position, of_bra, label] = place;
    const bool is_pair = of_bra && std::get<0>(before) == kind && std::get<1>(before) == position && !std::get<2>(before);
    if (!is_pair) {
      const std::string& all = letters.at(kind);
      const std::size_t n = used[kind]++;
      plain = all.substr(n % all.size(), 1) + (n < all.size() ? "" : fmt::format("{}", n / all.size()));
    }
    names[label] = plain + (of_bra ? "'" : "");
    before = place;
  }
  return names;
}

NamedRequest named(const Setup& setup, const Product& product, const Facts& facts, std::string result) {
  NamedRequest made{.request = request_of(product), .operands = {}, .labels = {}, .kinds = {}, .result = std::move(result)};
  const std::map<einsum::Label, std::string> names = label_names(product, facts);
  for (std::size_t k = 0; k < product.factors.size(); ++k) {
    made.operands.push_back(operand_name(setup, product.factors[k]));
    for (std::size_t axis = 0; axis < product.factors[k].labels.size(); ++axis) {
      const einsum::Label label = product.factors[k].labels[axis];
      if (static_cast<std::size_t>(made.request.subscripts.inputs[k][axis]) < made.labels.size()) continue;
      made.labels.push_back(names.at(label));
      made.kinds += facts.at(label).kind;
    }
  }
  return made;
}

/// Messages without values, and what they would be made by.
class Shapes final : public MessagesOf<Shape> {
 public:
  explicit Shapes(const Setup& setup) : MessagesOf(setup) {
    for (const Tensor& t : setup.tensors) {
      const Dtype type = t.kind == Kind::data ? t.values.dtype : t.is_complex ? Dtype::c128 : setup.precision;
      arrays_.push_back({type, t.kind == Kind::data ? t.values.extents : t.extents});
    }
  }
  ConstArray array(std::int32_t tensor) const override { return arrays_[static_cast<std::size_t>(tensor)].view(); }
  void replace(std::int32_t tensor, Extents extents) {
    arrays_[static_cast<std::size_t>(tensor)].extents = std::move(extents);
    changed(tensor);
  }
  using MessagesOf::number;
  std::vector<Product> take_made() { return std::exchange(made_, {}); }
  std::int64_t largest_bytes() const { return largest_; }

 private:
  Shape contracted(const Product& product) override {
    made_.push_back(product);
    Shape shape{Dtype::f64, {}};
    std::map<einsum::Label, std::int64_t> extent;
    for (const Factor& f : product.factors) {
      if (program::is_complex(f.values.dtype)) shape.dtype = Dtype::c128;
      for (std::size_t axis = 0; axis < f.labels.size(); ++axis) extent[f.labels[axis]] = f.values.extents[axis];
    }
    for (const einsum::Label label : product.output) shape.extents.push_back(extent.at(label));
    largest_ = std::max(largest_, shape.bytes());
    return shape;
  }

  std::vector<Shape> arrays_;  ///< by tensor
  std::vector<Product> made_;
  std::int64_t largest_ = 0;
};

std::int64_t limited_product(std::int64_t a, std::int64_t b, std::int64_t limit) {
  return a >= (limit + b - 1) / b ? limit : a * b;
}

/// Goes through a sweep as Trains does.
class Simulation {
 public:
  Simulation(const Setup& setup, const std::vector<Recorded>& sweep)
      : setup_(setup), sweep_(sweep), shapes_(setup), centres_(setup.trains.size(), -1) {
    for (std::size_t id = 0; id < setup.trains.size(); ++id) fill(static_cast<std::int32_t>(id));
  }

  SweepForecast run() {
    pass();  // makes the messages that a sweep finds when it begins
    result_.blocks.clear();
    pass();
    for (const Observed& o : setup_.observed) evaluate(o.networks);
    result_.message_bytes = peak_ + 2 * shapes_.largest_bytes();  // the latter: those on the way to a value
    return std::move(result_);
  }

 private:
  const Train& train(std::int32_t id) const { return setup_.trains[static_cast<std::size_t>(id)]; }
  const Network& network(std::int32_t id) const { return setup_.networks[static_cast<std::size_t>(id)]; }

  /// Bonds as large as they get: as far as the splits allow, and what lies on either side can fill.
  void fill(std::int32_t id) {
    const std::vector<std::int32_t>& cores = train(id).cores;
    const std::size_t count = cores.size();
    std::vector<std::int64_t> bonds{1};
    for (std::size_t k = 1; k < count; ++k) bonds.push_back(setup_.tensors[static_cast<std::size_t>(cores[k])].extents.front());
    bonds.push_back(1);
    std::vector<char> is_split(count + 1, 0);
    for (const Recorded& r : sweep_) {
      if (r.what != Recorded::What::split) continue;
      const Split& split = setup_.splits[static_cast<std::size_t>(r.id)];
      if (split.train != id) continue;
      const auto bond = static_cast<std::size_t>(split.first) + 1;
      const std::int64_t most = r.cut.max_extent > 0 ? r.cut.max_extent : std::numeric_limits<std::int32_t>::max();
      bonds[bond] = is_split[bond] != 0 ? std::max(bonds[bond], most) : most;
      is_split[bond] = 1;
    }
    const auto site = [&](std::size_t k) { return setup_.tensors[static_cast<std::size_t>(cores[k])].extents[1]; };
    for (std::size_t k = 1; k < count; ++k) bonds[k] = limited_product(bonds[k - 1], site(k - 1), bonds[k]);
    for (std::size_t k = count; k-- > 1;) bonds[k] = limited_product(bonds[k + 1], site(k), bonds[k]);
    for (std::size_t k = 0; k < count; ++k) {
      shapes_.replace(cores[k], {bonds[k], site(k), bonds[k + 1]});
      const ConstArray core = shapes_.array(cores[k]);
      result_.core_bytes += element_count(core.extents) * size_of(core.dtype);
      result_.largest_bond = std::max(result_.largest_bond, bonds[k]);
    }
  }

  void pass() {
    for (const Recorded& r : sweep_) {
      if (r.what == Recorded::What::eigen_solve) solve(r);
      if (r.what == Recorded::What::split) split(r);
      if (r.what == Recorded::What::sweep_end || r.what == Recorded::What::objective)
        evaluate(setup_.objectives[static_cast<std::size_t>(r.id)].networks);
      if (r.what == Recorded::What::value) evaluate(setup_.observed[static_cast<std::size_t>(r.id)].networks);
      peak_ = std::max(peak_, shapes_.bytes());
    }
  }

  void evaluate(const std::vector<std::int32_t>& networks) {
    for (const std::int32_t n : networks) shapes_.number(n);
    shapes_.take_made();
    peak_ = std::max(peak_, shapes_.bytes());
  }

  void move_centre(std::int32_t id, std::int64_t first, std::int64_t last) {
    std::int64_t& centre = centres_[static_cast<std::size_t>(id)];
    if (centre < 0) centre = first;
    const std::vector<std::int32_t>& cores = train(id).cores;
    const auto factor = [&](std::int64_t left, bool keeps_left) {  // by QR, the bond between a core and the next
      const std::int32_t one = cores[static_cast<std::size_t>(left)], other = cores[static_cast<std::size_t>(left) + 1];
      Extents a = shapes_.array(one).extents, b = shapes_.array(other).extents;
      a[2] = b[0] = std::min(a[2], keeps_left ? a[0] * a[1] : b[1] * b[2]);
      shapes_.replace(one, std::move(a)), shapes_.replace(other, std::move(b));
    };
    for (; centre < first; ++centre) factor(centre, true);
    for (; centre > last; --centre) factor(centre - 1, false);
  }

  void solve(const Recorded& r) {
    const EigenSolve& request = setup_.eigen_solves[static_cast<std::size_t>(r.id)];
    const Rayleigh& rayleigh = *setup_.objectives[static_cast<std::size_t>(request.objective)].rayleigh;
    move_centre(rayleigh.train, request.first, request.first + request.count - 1);
    BlockForecast b{.objective = request.objective,
                    .block = block_of(train(rayleigh.train), shapes_, static_cast<std::size_t>(request.first),
                                      static_cast<std::size_t>(request.count)),
                    .krylov = r.krylov};
    shapes_.take_made();
    for (const Rayleigh::Form& form : rayleigh.forms) {
      const Network& n = network(form.network);
      b.products.push_back(named(setup_, local_product(n, form, shapes_, b.block, products_counted_on(r.krylov)),
                                 facts_of(setup_, n, &form), "H theta"));
    }
    for (const EigenSolve::Overlap& overlap : request.orthogonal_to) {
      const Network& n = network(overlap.network);
      b.overlaps.push_back(named(setup_, overlap_product(n, overlap, shapes_, b.block), facts_of(setup_, n, nullptr), "v"));
    }
    add_messages(b);
    result_.blocks.push_back(std::move(b));
    if (request.count == 1) shapes_.changed(train(rayleigh.train).cores[static_cast<std::size_t>(request.first)]);
  }

  void add_messages(BlockForecast& b) {
    for (const Product& made : shapes_.take_made()) {
      const auto is_core = [&](const Factor& f) {
        return f.tensor >= 0 && setup_.tensors[static_cast<std::size_t>(f.tensor)].varies;
      };
      const auto core = std::find_if(made.factors.begin(), made.factors.end(), is_core);
      const bool from_left = core == made.factors.end() || einsum::contains(made.output, core->labels.back());
      b.messages.push_back(named(setup_, made, facts_of(setup_, made, from_left), from_left ? "L" : "R"));
    }
  }

  void split(const Recorded& r) {
    const Split& request = setup_.splits[static_cast<std::size_t>(r.id)];
    const auto first = static_cast<std::size_t>(request.first);
    const bool follows =
        !result_.blocks.empty() && !result_.blocks.back().is_split && train_of(result_.blocks.back()) == request.train;
    if (!follows) {
      move_centre(request.train, request.first, request.first + 1);
      result_.blocks.push_back({.objective = -1, .block = block_of(train(request.train), shapes_, first, 2)});
    }
    BlockForecast& b = result_.blocks.back();
    const Block pair = block_of(train(request.train), shapes_, first, 2);
    b.is_split = true, b.to = r.to, b.cut = r.cut;
    b.rows = pair.extents[0] * pair.extents[1], b.columns = pair.extents[2] * pair.extents[3];
    // A basis for one side, with directions mixed in, may be as large as that side; an SVD's is no larger than the other, either.
    const std::int64_t side = r.to == Weight::right ? b.rows : b.columns;
    b.kept = r.cut.noise > 0 && b.objective >= 0 ? side : std::min(b.rows, b.columns);
    if (r.cut.max_extent > 0) b.kept = std::min(b.kept, r.cut.max_extent);
    if (r.cut.noise > 0 && b.objective >= 0)
      for (const Rayleigh::Form& form : setup_.objectives[static_cast<std::size_t>(b.objective)].rayleigh->forms) {
        const Network& n = network(form.network);
        b.directions.push_back(named(setup_, opened_product(n, form, shapes_, pair, r.to), facts_of(setup_, n, &form), "P"));
      }
    add_messages(b);
    const std::vector<std::int32_t>& cores = train(request.train).cores;
    shapes_.replace(cores[first], {pair.extents[0], pair.extents[1], b.kept});
    shapes_.replace(cores[first + 1], {b.kept, pair.extents[2], pair.extents[3]});
    result_.largest_bond = std::max(result_.largest_bond, b.kept);
    centres_[static_cast<std::size_t>(request.train)] = request.first + (r.to == Weight::right ? 1 : 0);
  }
  std::int32_t train_of(const BlockForecast& b) const {
    return b.objective < 0 ? -1 : setup_.objectives[static_cast<std::size_t>(b.objective)].rayleigh->train;
  }

  const Setup& setup_;
  const std::vector<Recorded>& sweep_;
  Shapes shapes_;
  std::vector<std::int64_t> centres_;
  std::int64_t peak_ = 0;
  SweepForecast result_;
};

}  // namespace

SweepForecast forecast(const Setup& setup, const std::vector<Recorded>& sweep) { return Simulation(setup, sweep).run(); }

}  // namespace tyto::solve
