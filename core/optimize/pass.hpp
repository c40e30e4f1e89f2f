#pragma once
/// What a pass is: a pure function from graph to graph with a log, and a record of what it is for.
#include <functional>
#include <string>
#include <vector>
#include "graph/graph.hpp"

namespace tyto::optimize {

/// One kernel event of a cycle, as a dry run of the algorithm recorded it: outputs that are asked for together, then a leaf that
/// changes (-1: none).
struct Event {
  std::vector<std::string> outputs;
  graph::NodeId changes = -1;
};

/// What passes may know beside the graph.
struct Context {
  std::vector<Event> cycle;  ///< in order; repeats for ever. Empty: all outputs once, every leaf that can change changes
  /// Whether messages may be contracted in another order at each event: every output is then computed as at the first event that
  /// asks for it, so events that should differ ask for outputs of different names.
  bool trees_by_event = false;
  bool is_thorough = false;  ///< whether such orders are also searched for where the search may take longer than it saves
  std::vector<graph::NodeId> objectives;  ///< scalars whose products are the networks that kernels share
  std::function<bool(graph::NodeId)> changes = [](graph::NodeId) { return true; };  ///< whether a leaf ever changes
  /// What the intermediates of one product may hold together; 0: no limit. Products above it are summed slice by slice, where they
  /// can be; Error{memory} where no slices make them fit.
  double most_elements = 0;
  /// Called after each pass with the graph before and after it, and its name: see verify/verified.hpp. May be empty.
  std::function<void(const graph::Graph&, const graph::Graph&, const std::string&)> check = {};
};

/// What a pass did and nearly did. For people: `explain` shows it.
class Log {
 public:
  void rewrote(std::string text) { rewrites_.push_back(std::move(text)); }
  void near_miss(std::string text) { near_misses_.push_back(std::move(text)); }
  const std::vector<std::string>& rewrites() const { return rewrites_; }
  const std::vector<std::string>& near_misses() const { return near_misses_; }

 private:
  std::vector<std::string> rewrites_, near_misses_;
};

struct Pass {
  std::string name;
  std::string summary;
  std::vector<std::string> requires_passes;  ///< must stand earlier in the pipeline, where they are not switched off
  graph::Graph (*run)(const graph::Graph&, const Context&, Log&);
};

struct Report {
  std::string pass;
  bool changed = false;
  Log log;
};

}  // namespace tyto::optimize
