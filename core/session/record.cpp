#include "session/record.hpp"
#include <cmath>
#include <ctime>
#include <fstream>
#include <new>
#include <sys/utsname.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include "session/reference.hpp"

namespace tyto::session {

namespace {

std::vector<std::pair<std::string, std::string>> host_facts() {
  std::vector<std::pair<std::string, std::string>> facts;
  utsname system{};
  if (uname(&system) == 0) facts.emplace_back("system", fmt::format("{} {} {}", system.sysname, system.release, system.machine));
  std::ifstream processor("/proc/cpuinfo");
  for (std::string line; std::getline(processor, line);) {
    if (!line.starts_with("model name")) continue;
    facts.emplace_back("processor", line.substr(line.find(':') + 2));
    break;
  }
  return facts;
}

/// Numbers that stand for the data: of bases and a core. 0 where no objective says that they do.
std::int64_t model_elements(const Declared& d) {
  const solve::Objective& f = d.setup.objectives.back();
  if (!f.projection) return 0;
  std::int64_t count = element_count(d.setup.tensors[static_cast<std::size_t>(f.projection->copy)].extents);
  for (const solve::Tensor& t : d.setup.tensors)
    if (t.kind == solve::Kind::unknown) count += element_count(t.extents);
  return count;
}

/// Observed numbers name[0], name[1], ... that follow each other become one array of that name.
void join_lists(Result& r) {
  std::vector<std::string> joined;
  for (std::size_t k = 0; k < r.observed.size();) {
    std::size_t count = 0;
    const std::string& first = r.observed[k];
    const std::string list = first.ends_with("[0]") ? first.substr(0, first.size() - 3) : std::string();
    const auto is_next = [&] {
      return !list.empty() && k + count < r.observed.size() && r.observed[k + count] == item(list, count) &&
             r.values.at(r.observed[k + count]).extents.empty();
    };
    while (is_next()) ++count;
    if (count < 2) {
      joined.push_back(r.observed[k++]);
      continue;
    }
    NamedArray all{{static_cast<std::int64_t>(count)}, {"item"}, {}};
    for (std::size_t n = 0; n < count; ++n) {
      all.values.push_back(r.values.at(item(list, n)).values[0]);
      r.values.erase(item(list, n));
    }
    r.values[list] = std::move(all);
    joined.push_back(list);
    k += count;
  }
  r.observed = std::move(joined);
}

/// What cannot be evaluated any more, for want of memory, must not cost the result: it is NaN, and said.
std::vector<double> observed_or_nothing(solve::Solver& solver, const solve::Observed& o, std::size_t k) {
  const auto lost = [&](const std::string& why) {
    solver.warn(fmt::format("{} could not be evaluated: {}", o.name, why));
    return std::vector<double>(static_cast<std::size_t>(element_count(o.extents)), std::nan(""));
  };
  try {
    return solver.observed(k);
  } catch (const Error& error) {
    if (error.findings().front().code != Code::memory) throw;
    return lost(error.findings().front().what);
  } catch (const std::bad_alloc&) {
    return lost("there is no memory left");
  }
}

}  // namespace

std::string present_time() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

Result collected(const Prepared& prepared, const solve::State& state, solve::Solver& solver,
                 const solve::Solver::Finished& finished) {
  Result r{.outcome = finished.outcome,
           .relative_error = finished.relative_error,
           .sweeps = finished.sweeps,
           .seconds = finished.seconds};
  r.objective = std::ldexp(finished.objective, static_cast<int>(2 * prepared.scale));
  const solve::Setup& setup = prepared.declared.setup;
  for (std::size_t t = 0; t < setup.tensors.size(); ++t) {
    const solve::Tensor& info = setup.tensors[t];
    if (info.kind != solve::Kind::unknown) continue;
    const Extents& extents = state.array(static_cast<std::int32_t>(t)).extents;
    NamedArray values{extents, info.labels, std::vector<double>(static_cast<std::size_t>(element_count(extents)))};
    for (std::size_t k = 0; k < values.values.size(); ++k)
      values.values[k] =
          std::ldexp(state.get(static_cast<std::int32_t>(t), static_cast<std::int64_t>(k)), static_cast<int>(info.scale));
    if (info.is_complex) {
      const auto* const numbers = state.array(static_cast<std::int32_t>(t)).as<std::complex<double>>();
      for (std::size_t k = 0; k < values.values.size(); ++k) values.imaginary.push_back(numbers[k].imag());
    }
    r.unknowns.push_back(info.name);
    r.values[info.name] = std::move(values);
  }
  for (std::size_t k = 0; k < setup.observed.size(); ++k) {
    const solve::Observed& o = setup.observed[k];
    r.observed.push_back(o.name);
    NamedArray values{o.extents, o.labels, observed_or_nothing(solver, o, k)};
    for (double& value : values.values) value = std::ldexp(value, static_cast<int>(o.scale));
    r.values[o.name] = std::move(values);
  }
  join_lists(r);
  for (std::size_t k = 0; k < setup.trains.size(); ++k) {
    const std::string name = setup.trains[k].name + ".entropy";
    const std::vector<double>& entropies = solver.entropies(k);
    r.observed.push_back(name);
    r.values[name] = {{static_cast<std::int64_t>(entropies.size())}, {"bond"}, entropies};
  }
  return r;
}

result::Record recorded(const Prepared& p, Result r, std::vector<result::StartSummary> starts, std::optional<double> optimality,
                        const std::string& started_at) {
  result::Record record{.result = std::move(r), .starts = std::move(starts)};
  record.kkt_residual = optimality;
  for (const problem::Leaf& leaf : p.declared.problem.data)
    for (const Loaded& in : p.inputs) {
      if (in.name != leaf.input) continue;
      result::DataDescription d{.name = in.name, .file = in.file, .shape = in.values.extents(), .norm = in.norm.value()};
      for (const Index& label : leaf.expression.shape()) d.labels.push_back(label.name());
      record.data.push_back(std::move(d));
    }
  record.model_elements = model_elements(p.declared);
  record.algorithm = p.plugin->name, record.algorithm_version = p.plugin->version, record.summary = p.plugin->summary;
  record.tyto_version = TYTO_VERSION;
  record.solver = *p.solver;
  record.executor = p.executor->name();
  record.threads = static_cast<int>(p.config.execution.threads);
  record.seed = p.config.solver.seed;
  record.config = config::to_json(p.config, p.settings.get());
  record.plan = plan_text(p);
  record.started_at = started_at;
  record.host = host_facts();
  record.match = matched(p, record);
  return record;
}

}  // namespace tyto::session
