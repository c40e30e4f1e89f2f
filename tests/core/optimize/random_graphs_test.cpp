// Whatever the graph, each pass alone, all together and all but one give the same numbers, on both executors.
#include <boost/test/unit_test.hpp>
#include "core/optimize/graph_values.hpp"
#include "core/optimize/random_graph.hpp"
#include "error/fail.hpp"
#include "optimize/pipeline.hpp"

using namespace tyto;

namespace {

constexpr std::uint64_t graph_count = 200;

/// Calls `run`; a failure or another value is reported with the seed and both graphs.
void check_same(const Expected& expected, const RandomGraph& random, std::uint64_t seed, const std::string& what,
                const std::function<std::vector<Numbers>(graph::Graph& result)>& run) {
  graph::Graph result = random.graph;
  std::string wrong;
  try {
    wrong = difference(expected, run(result));
  } catch (const Error& error) {
    wrong = error.what();
  }
  BOOST_CHECK_MESSAGE(wrong.empty(), "seed " << seed << ", " << what << ": " << wrong << "\nbefore\n"
                                             << graph::print(random.graph) << "after\n"
                                             << graph::print(result));
}

void check_passes(std::uint64_t seed) {
  RandomGraph random(seed);
  LeafNumbers leaves(random.graph, seed);
  const Expected expected(random.graph, leaves);
  if (!expected.is_finite()) return;
  const auto check = [&](const std::string& what, const execute::Executor& executor, const std::function<graph::Graph()>& passes) {
    check_same(expected, random, seed, what, [&](graph::Graph& result) {
      result = passes();
      for (std::size_t k = 0; k < result.outputs.size(); ++k)  // a pass alone may find that an output is real
        if ((*random.graph.store)[random.graph.outputs[k].node].field == Field::complex)
          result.outputs[k].node = graph::map(*result.store, operation::Function::complex, {result.outputs[k].node});
      graph::verify(result);
      return values_of(result, leaves, executor);
    });
  };
  for (const optimize::Pass& pass : optimize::pipeline())
    check(pass.name + " alone", reference_executor(), [&] {
      optimize::Log log;
      return pass.run(random.graph, random.context, log);
    });
  for (const optimize::Pass& pass : optimize::pipeline())
    check("all but " + pass.name, reference_executor(),
          [&] { return optimize::optimize(random.graph, random.context, {pass.name}).graph; });
  check("all passes", reference_executor(), [&] { return optimize::optimize(random.graph, random.context).graph; });
  check("all passes, cpu", cpu_executor(), [&] { return optimize::optimize(random.graph, random.context).graph; });
  check("no pass, cpu", cpu_executor(), [&] { return random.graph; });
}

}  // namespace

BOOST_AUTO_TEST_CASE(passes_and_executors_agree_on_random_graphs) {
  for (std::uint64_t seed = 0; seed < graph_count; ++seed) check_passes(seed);
}
