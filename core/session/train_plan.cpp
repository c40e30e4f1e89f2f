#include "session/train_plan.hpp"
#include <algorithm>
#include <fmt/format.h>
#include "algebra/real_eigensolver.hpp"
#include "error/fail.hpp"
#include "explain/train_text.hpp"
#include "solve/trains.hpp"
#include "text/quantity.hpp"

namespace tyto::session {

namespace {

/// Sweeps that are looked at for what a schedule changes.
constexpr std::int64_t most_sweeps = 100;

std::int64_t last_sweep(const Prepared& p) { return std::clamp<std::int64_t>(p.config.solver.max_sweeps, 1, most_sweeps); }

bool has_eigenproblems(const Prepared& p) { return !p.declared.setup.eigen_solves.empty(); }

bool is_same(const solve::Recorded& a, const solve::Recorded& b) {
  return a.what == b.what && a.id == b.id && a.to == b.to && a.cut.max_extent == b.cut.max_extent &&
         (a.cut.noise > 0) == (b.cut.noise > 0) && a.krylov.max_iterations == b.krylov.max_iterations;
}
bool is_same(const std::vector<solve::Recorded>& a, const std::vector<solve::Recorded>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const solve::Recorded& one, const solve::Recorded& other) { return is_same(one, other); });
}

/// The first sweep from which on all are like the last one.
std::int64_t first_like_last(const Prepared& p) {
  const std::int64_t last = last_sweep(p);
  const std::vector<solve::Recorded> wanted = dry_run(p, last);
  std::int64_t low = 1, high = last;
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    is_same(dry_run(p, middle), wanted) ? high = middle : low = middle + 1;
  }
  return low;
}

/// Vectors that the built-in eigensolver keeps, images and all, for what may be few products.
std::int64_t vectors_of(const solve::BlockForecast& b) {
  constexpr std::int64_t most_kept = 20, others = 4;
  return 2 * std::min(most_kept, b.krylov.max_iterations) + others;
}

struct Memory {
  std::int64_t messages = 0, cores = 0, vectors = 0;
  std::int64_t all() const { return messages + cores + vectors; }
};

Memory memory_of(const solve::SweepForecast& sweep) {
  Memory memory{sweep.message_bytes, sweep.core_bytes, 0};
  for (const solve::BlockForecast& b : sweep.blocks)
    memory.vectors = std::max(memory.vectors, vectors_of(b) * element_count(b.block.extents) * size_of(b.block.dtype));
  return memory;
}

std::vector<explain::NamedContraction> planned(const Prepared& p, const std::vector<solve::NamedRequest>& requests) {
  std::vector<explain::NamedContraction> all;
  for (const solve::NamedRequest& r : requests) {
    const program::PlannedContraction& plan = p.contractions->plan(r.request);
    all.push_back({plan.program, plan.leaves, r.operands, r.labels, r.kinds, r.result});
  }
  return all;
}

explain::TrainBlock planned(const Prepared& p, const solve::BlockForecast& b) {
  return {.first = static_cast<std::int64_t>(b.block.first),
          .count = static_cast<std::int64_t>(b.block.count),
          .extents = b.block.extents,
          .is_complex = program::is_complex(b.block.dtype),
          .messages = planned(p, b.messages),
          .products = planned(p, b.products),
          .overlaps = planned(p, b.overlaps),
          .directions = planned(p, b.directions),
          .most_products = b.objective < 0 ? 0 : b.krylov.max_iterations,
          .rows = b.is_split ? b.rows : 0,
          .columns = b.columns,
          .kept = b.kept,
          .by_density = !b.directions.empty() || solve::density_suffices(b.cut),
          .keeps_left = b.to == Weight::right};
}

/// The blocks of the last objective, which has the most states to be orthogonal to.
explain::TrainSweep planned(const Prepared& p, const solve::SweepForecast& forecast, std::int64_t sweep) {
  explain::TrainSweep result{.sweep = sweep, .largest_bond = forecast.largest_bond, .blocks = {}};
  const std::int32_t objective = forecast.blocks.back().objective;
  for (const solve::BlockForecast& b : forecast.blocks)
    if (b.objective == objective) result.blocks.push_back(planned(p, b));
  return result;
}

std::string memory_line(const Prepared& p, const solve::SweepForecast& sweep) {
  const Memory memory = memory_of(sweep);
  const auto& limit = p.config.execution.memory_limit;
  return fmt::format("memory at D={}: messages {}, cores {}, vectors of the eigensolver {}: {}{}", sweep.largest_bond,
                     text_of_bytes(memory.messages), text_of_bytes(memory.cores), text_of_bytes(memory.vectors),
                     text_of_bytes(memory.all()), limit ? fmt::format(", of {} allowed", text_of_bytes(*limit)) : "");
}

std::string eigensolver_line(const Prepared& p, const solve::SweepForecast& sweep) {
  const solve::Setup& setup = p.declared.setup;
  std::int64_t least = std::numeric_limits<std::int64_t>::max(), most = 0;
  for (const solve::BlockForecast& b : sweep.blocks) {
    least = std::min(least, element_count(b.block.extents)), most = std::max(most, element_count(b.block.extents));
  }
  const solve::BlockForecast& last = sweep.blocks.back();
  const bool is_library = dynamic_cast<const algebra::RealEigenSolver*>(setup.eigen_solver) != nullptr;
  std::string text =
      fmt::format("eigensolver: {}, from the present block, at most {} products, until |H theta - e theta| <= {:g} max(|e|, 1)\n",
                  setup.eigen_solver->name(), last.krylov.max_iterations, last.krylov.tolerance);
  return text +
         (is_library
              ? fmt::format("  asked for by solver.backend; davidson, built in, in blocks of fewer than {} numbers (the smallest "
                            "has {}), or where a round takes more products than there are",
                            algebra::least_dimension(1), least)
              : fmt::format("  built in: blocks of {} to {} numbers, a few products from a good start each; "
                            "solver.backend names a library",
                            least, most));
}

}  // namespace

void check_train_memory(const Prepared& p) {
  if (!has_eigenproblems(p)) return;
  const solve::SweepForecast forecast = solve::forecast(p.declared.setup, dry_run(p, last_sweep(p)));
  const auto& set = p.config.execution.memory_limit;
  const std::int64_t limit = set ? *set : p.executor->model().memory_bytes();
  const Memory memory = memory_of(forecast);
  if (memory.all() <= limit) return;
  fail({.code = Code::memory,
        .where = p.config.where("execution.memory_limit"),
        .what = fmt::format("trains with bonds of {} need more memory than {}", forecast.largest_bond,
                            set ? "execution.memory_limit allows" : "this machine has free"),
        .expected = fmt::format("at most {}", text_of_bytes(limit)),
        .found = fmt::format("{}: {} for messages, {} for cores, {} for vectors of the eigensolver", text_of_bytes(memory.all()),
                             text_of_bytes(memory.messages), text_of_bytes(memory.cores), text_of_bytes(memory.vectors)),
        .hint = "smaller bonds, or a higher execution.memory_limit where a cutoff keeps them smaller"});
}

std::string train_plan_text(const Prepared& p) {
  if (!has_eigenproblems(p)) return {};
  const solve::Setup& setup = p.declared.setup;
  const std::int64_t from = first_like_last(p);
  const solve::SweepForecast last = solve::forecast(setup, dry_run(p, from));
  const solve::Objective& f = setup.objectives[static_cast<std::size_t>(last.blocks.back().objective)];
  const solve::Train& train = setup.trains[static_cast<std::size_t>(f.rayleigh->train)];
  explain::TrainSubject subject{.train = train.name,
                                .sites = static_cast<std::int64_t>(train.cores.size()),
                                .counted_on = solve::products_counted_on(last.blocks.back().krylov),
                                .device = &p.executor->model()};
  for (const solve::Rayleigh::Form& form : f.rayleigh->forms)
    subject.networks.push_back(
        setup.tensors[static_cast<std::size_t>(setup.networks[static_cast<std::size_t>(form.network)].value)].name);
  if (from > 1) subject.sweeps.push_back(planned(p, solve::forecast(setup, dry_run(p, 1)), 1));
  subject.sweeps.push_back(planned(p, last, from));
  if (setup.trains.size() > 1)
    subject.notes.push_back(
        fmt::format("{} trains, one after the other, the messages of all of them kept; shown is the last", setup.trains.size()));
  subject.notes.push_back(eigensolver_line(p, last));
  subject.notes.push_back(memory_line(p, last));
  return explain::train_text(subject);
}

std::vector<program::ContractionRequest> train_requests(const Prepared& p, std::int64_t sweep) {
  std::vector<program::ContractionRequest> all;
  for (const solve::BlockForecast& b : solve::forecast(p.declared.setup, dry_run(p, sweep)).blocks)
    for (const auto* part : {&b.messages, &b.products, &b.overlaps, &b.directions})
      for (const solve::NamedRequest& r : *part) all.push_back(r.request);
  return all;
}

}  // namespace tyto::session
