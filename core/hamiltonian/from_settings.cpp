/// tyto/hamiltonian.hpp: settings become an operator sum and its matrix product operator, and these constants of a declaration.
#include <cmath>
#include <optional>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "hamiltonian/from_data.hpp"
#include "hamiltonian/model.hpp"
#include "hamiltonian/mpo.hpp"
#include "hamiltonian/pattern.hpp"
#include "tyto/hamiltonian.hpp"

namespace tyto::inline v1 {

using namespace hamiltonian;

namespace {

/// Every parameter that some model has, once.
Schema parameter_keys() {
  Schema keys;
  for (const ModelDescription& model : model_descriptions())
    for (const ModelParameter& p : model.parameters) {
      const auto known = std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return k.name == p.name; });
      const std::string own = fmt::format("{} {:g}", model.name, p.fallback);
      if (known == keys.end()) keys.push_back(real(p.name, fmt::format("{} (else: {}", p.help, own)).optional());
      else known->help += ", " + own;
    }
  for (Key& key : keys) key.help += ")";
  return keys;
}

Schema term_keys() {
  return {reals("coefficient", "a number, or [real part, imaginary part]").otherwise("1"),
          texts("operators", "names, the last one acts first"),
          integers("sites", "one for each operator, from 1").optional(),
          integers("offsets", "for every i: operator k at site i + offsets[k]").optional(),
          group("decay",
                {real("power", "coefficient / r^power").optional(), real("exponential", "coefficient * exponential^r").optional()},
                "for every pair of sites at distance r")
              .optional(),
          choice("distance", {"line", "ring", "chord"}, "how r is measured").otherwise("line"),
          integers("range", "first, last and step of i").optional(),
          flag("periodic", "offsets go round the end").otherwise("false"),
          flag("plus_adjoint", "the Hermitian conjugate is added").otherwise("false")};
}

TermPattern pattern_of(const Settings& s) {
  TermPattern p{.operators = s.texts("operators"), .where = s.where("operators")};
  const std::vector<double> c = s.reals("coefficient");
  if (c.size() > 2 || c.empty()) s.reject("coefficient", "a coefficient has one or two numbers", "[real part, imaginary part]");
  p.coefficient = {c[0], c.size() == 2 ? c[1] : 0};
  p.sites = s.integers("sites"), p.offsets = s.integers("offsets");
  if (s.has("decay")) {
    const Settings decay = s.group("decay");
    if (decay.has("power") == decay.has("exponential"))
      s.reject("decay", "a decay is a power or an exponential", "decay: {power: 3}");
    if (decay.has("power")) p.decay = Power{decay.real("power")};
    else p.decay = Exponential{decay.real("exponential")};
  }
  const std::string distance = s.text("distance");
  p.distance = distance == "ring" ? Distance::ring : distance == "chord" ? Distance::chord : Distance::line;
  if (const std::vector<std::int64_t> range = s.integers("range"); !range.empty()) {
    if (range.size() > 3) s.reject("range", "a range has up to three numbers", "[first, last, step]");
    p.range = SiteRange{range[0], range.size() > 1 ? range[1] : 0, range.size() > 2 ? range[2] : 1};
  }
  p.is_periodic = s.flag("periodic"), p.plus_adjoint = s.flag("plus_adjoint");
  return p;
}

Model model_of(const Settings& s) {
  ModelRequest request{.name = s.text("name"), .where = s.where("name")};
  request.lattice = {.name = s.text("lattice"),
                     .sites = s.integer("sites"),
                     .width = s.integer("width"),
                     .length = s.integer("length"),
                     .where = s.where(s.has("sites") ? "sites" : "name")};
  for (const Key& key : parameter_keys())
    if (s.has(key.name)) request.parameters[key.name] = s.real(key.name);
  return make_model(request);
}

OperatorSum written_sum(const Settings& s) {
  if (!s.has("sites")) s.reject("terms", "terms are on a number of sites, and none is given", "sites: 10");
  OperatorSum sum{chain_of(s.has("space") ? space_named(s.text("space"), s.where("space")) : spin(1), s.integer("sites"))};
  for (const Settings& line : s.groups("terms"))
    for (Term& term : expand(pattern_of(line), sum.spaces)) sum.terms.push_back(std::move(term));
  require_valid(sum);
  require_hermitian(sum);
  return sum;
}

bool is_real(const LocalMatrix& m) {
  for (std::int64_t i = 0; i < m.dimension(); ++i)
    for (std::int64_t j = 0; j < m.dimension(); ++j)
      if (m(i, j).imag() != 0) return false;
  return true;
}

}  // namespace

Schema hamiltonian_keys() {
  Schema model{text("name", "which; `tyto describe dmrg` lists them"), integer("sites", "how many").at_least(1).optional(),
               text("lattice", "chain, ring, ladder or square").optional(),
               integer("width", "sites of a column").at_least(1).optional(), integer("length", "columns").at_least(1).optional()};
  model = with(std::move(model), parameter_keys());
  return {group("model", model, "a Hamiltonian by name").optional(),
          groups("terms", term_keys(), "or written out: a sum of products of operators").optional(),
          integer("sites", "of terms").at_least(1).optional(),
          text("space", "of each site of terms: spin-1/2 (the default), spin-1, ..., spinless-fermion, electron").optional()};
}

Key start_key() {
  return texts("start", "random, neel, or names of states of the sites, repeated along the line: [up, down]").otherwise("random");
}

struct Hamiltonian::Impl {
  OperatorSum sum;  ///< of no sites where the operators are data
  Mpo mpo;
  double shift = 0;
  std::string text;
  std::string input = {};  ///< name of the data; empty: by settings
  Exprs data = {};

  static std::unique_ptr<Impl> by_settings(const Settings&);
  static std::unique_ptr<Impl> of_data(Declaration&, const Settings&, const std::string& input);
};

Hamiltonian::Hamiltonian(const Settings& s) : impl_(Impl::by_settings(s)) {}
Hamiltonian::Hamiltonian(Declaration& d, const Settings& s, const std::string& input)
    : impl_(d.has_data(input) ? Impl::of_data(d, s, input) : Impl::by_settings(s)) {}
Hamiltonian::~Hamiltonian() = default;

std::unique_ptr<Hamiltonian::Impl> Hamiltonian::Impl::by_settings(const Settings& s) {
  if (s.has("model") == s.has("terms"))
    fail(Code::contradiction,
         s.has("model") ? "the Hamiltonian is given twice, as a model and as terms" : "there is no Hamiltonian",
         "settings.model, settings.terms, or data.H", {}, "model: {name: heisenberg, sites: 20}");
  for (const char* key : {"sites", "space"})
    if (s.has("model") && s.has(key))
      s.reject(key, "this is of terms, and the Hamiltonian is a model", "model: {name: ..., sites: ...}");
  auto impl = std::make_unique<Impl>();
  if (s.has("model")) {
    Model model = model_of(s.group("model"));
    impl->text = fmt::format("{}: {}; {}", model.description.name, model.description.formula, model.description.convention);
    for (const auto& [name, value] : model.parameters) impl->text += fmt::format(", {} = {:g}", name, value);
    if (model.shift) {
      impl->shift = model.shift->value;
      impl->text +=
          fmt::format("; run with {:+g} times the sum of {}: {}", impl->shift, model.shift->operator_name, model.shift->reason);
    }
    impl->sum = std::move(model.sum);
  } else {
    impl->sum = written_sum(s);
    impl->text = fmt::format("{} terms on {} sites", impl->sum.terms.size(), impl->sum.sites());
    const std::string convention = spin_convention(impl->sum);
    if (!convention.empty()) impl->text += "; " + convention;
  }
  impl->mpo = compile(impl->sum);
  return impl;
}

std::unique_ptr<Hamiltonian::Impl> Hamiltonian::Impl::of_data(Declaration& d, const Settings& s, const std::string& input) {
  for (const char* key : {"model", "terms", "sites", "space"})
    if (s.has(key)) s.reject(key, fmt::format("the Hamiltonian is among the data, as {}", input), "leaving out one of them");
  auto impl = std::make_unique<Impl>();
  impl->input = input, impl->data = operators_of_data(d, input);
  impl->text = description(input, impl->data);
  return impl;
}

std::int64_t Hamiltonian::sites() const {
  return impl_->input.empty() ? impl_->sum.sites() : static_cast<std::int64_t>(impl_->data.size());
}
Field Hamiltonian::field() const {
  const auto is_complex = [](const Expr& w) { return w.field() == Field::complex; };
  if (!impl_->input.empty()) return std::any_of(impl_->data.begin(), impl_->data.end(), is_complex) ? Field::complex : Field::real;
  return impl_->mpo.dtype() == Dtype::c128 ? Field::complex : Field::real;
}
double Hamiltonian::shift() const { return impl_->shift; }
std::string Hamiltonian::text() const { return impl_->text; }

std::vector<std::vector<double>> Hamiltonian::product_state(const Settings& s) const {
  std::vector<std::string> names = s.texts("start");
  if (names.empty() || names == std::vector<std::string>{"random"}) return {};
  if (!impl_->input.empty())
    s.reject("start", fmt::format("states of the sites of the data {} have no names", impl_->input), "start: random");
  if (names == std::vector<std::string>{"neel"}) names = {"up", "down"};
  std::vector<std::vector<double>> vectors;
  for (std::size_t k = 0; k < impl_->sum.spaces.size(); ++k) {
    const LocalSpace& space = impl_->sum.spaces[k];
    const std::string& name = names[k % names.size()];
    const std::int64_t state = space.find_state(name);
    if (state < 0)
      fail({.code = Code::unknown_word,
            .where = s.where("start"),
            .what = fmt::format("sites of kind {} have no state '{}'", space.name, name),
            .expected = listed(space.states_named()),
            .found = name,
            .hint = nearest(name, space.states_named())});
    vectors.emplace_back(space.states.size(), 0.0)[static_cast<std::size_t>(state)] = 1;
  }
  return vectors;
}

Exprs on(const Exprs& operators, const Indices& out, const Indices& in) {
  Exprs labelled;
  for (std::size_t k = 0; k < operators.size(); ++k)
    labelled.push_back(operators[k]({operators[k].axis(0), operators[k].axis(1), out[k], in[k]}));
  return labelled;
}

Exprs product(const Exprs& a, const Exprs& b, const Indices& out, const Indices& in) {
  Indices between;
  for (const Index& label : in) between.push_back(label.as("between " + label.name()));
  Exprs factors = on(a, out, between);
  for (const Expr& w : on(b, between, in)) factors.push_back(prime(w, {w.axis(0), w.axis(1)}));
  return factors;
}

namespace {

Exprs declared(Declaration& d, const std::string& name, const Mpo& mpo) {
  Exprs all;
  Index left(name + ".0", 1);
  for (std::size_t k = 0; k < mpo.tensors.size(); ++k) {
    const tensor::Dense& w = mpo.tensors[k];
    const Index right(fmt::format("{}.{}", name, k + 1), w.extents()[1]);
    const Index out(fmt::format("{}.out", k + 1), w.extents()[2]), in(fmt::format("{}.in", k + 1), w.extents()[3]);
    const Indices labels{left, right, out, in};
    if (w.dtype() == Dtype::c128) {
      const auto* const values = w.view().as<std::complex<double>>();
      all.push_back(d.complex_constant(item(name, k), labels, {values, values + w.size()}));
    } else {
      const double* const values = w.view().as<double>();
      all.push_back(d.constant(item(name, k), labels, {values, values + w.size()}));
    }
    left = right;
  }
  return all;
}

}  // namespace

Exprs Hamiltonian::operators(Declaration& d, const std::string& name) const {
  return impl_->input.empty() ? declared(d, name, impl_->mpo) : impl_->data;
}

Exprs Hamiltonian::total(Declaration& d, const std::string& charge) const {
  const OperatorSum sum = hamiltonian::total(charge == "particles" ? Charge::particles : Charge::sz, impl_->sum.spaces);
  return sum.terms.empty() ? Exprs{} : declared(d, "total " + charge, compile(sum));
}

Expr Hamiltonian::local(Declaration& d, const std::string& name, std::int64_t site) const {
  if (!impl_->input.empty())
    d.reject(impl_->input, fmt::format("brings no operators by name, and {} is asked for", name), "leaving out local");
  const LocalSpace& space = impl_->sum.spaces[static_cast<std::size_t>(site)];
  const std::int64_t k = space.find(name);
  if (k < 0)
    fail(Code::unknown_word, fmt::format("sites of kind {} have no operator '{}'", space.name, name), listed(space.names()), name,
         nearest(name, space.names()));
  const LocalMatrix& m = space.operators[static_cast<std::size_t>(k)].matrix;
  if (space.operators[static_cast<std::size_t>(k)].adjoint != name)
    fail(Code::contradiction, fmt::format("the expectation value of {} is no real number", name), "a Hermitian operator", name);
  const Index out("out", m.dimension()), in("in", m.dimension());
  std::vector<double> reals;
  std::vector<std::complex<double>> values;
  for (std::int64_t i = 0; i < m.dimension(); ++i)
    for (std::int64_t j = 0; j < m.dimension(); ++j) values.push_back(m(i, j)), reals.push_back(m(i, j).real());
  const std::string leaf = fmt::format("{}({})", name, site + 1);
  return is_real(m) ? d.constant(leaf, {out, in}, reals) : d.complex_constant(leaf, {out, in}, values);
}

}  // namespace tyto::inline v1
