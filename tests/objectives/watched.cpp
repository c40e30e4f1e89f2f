#include "objectives/watched.hpp"
#include <filesystem>
#include <unistd.h>
#include "plugin/algorithm.hpp"
#include "plugin/catalogue.hpp"
#include "tensor/write.hpp"

namespace tyto::objectives {

namespace {

const char* const plugin_folder = TYTO_BINARY_DIR "/tests/objectives/plugins";

/// What the wrapper below shares with the test: an Algorithm is made by a plain function and its run() is const.
struct Watch {
  const PluginInfo* plugin = nullptr;
  std::vector<Update> updates;
} watch;

/// Passes every request on and remembers unknowns and blocks.
class Listening final : public Declaration {
 public:
  explicit Listening(Declaration& d) : d_(d) {}
  Exprs declared;
  std::map<std::int32_t, std::string> blocks;

  Expr unknown(const std::string& name, const Indices& shape, const Traits& t) override {
    return declared.emplace_back(d_.unknown(name, shape, t));
  }
  BlockSolve block_solve(Objective f, const Expr& block) override {
    const BlockSolve b = d_.block_solve(f, block);
    blocks[b.id] = block.name();
    return b;
  }
  Expr data(const std::string& n) override { return d_.data(n); }
  Expr data(const std::string& n, const Indices& l) override { return d_.data(n, l); }
  Exprs data_list(const std::string& n) override { return d_.data_list(n); }
  bool has_data(const std::string& n) const override { return d_.has_data(n); }
  Expr constant(const std::string& n, const Indices& s, const std::vector<double>& v) override { return d_.constant(n, s, v); }
  void reject(const std::string& n, const std::string& why, const std::string& hint) const override { d_.reject(n, why, hint); }
  Extents hosvd_ranks(const Expr& e, double t) override { return d_.hosvd_ranks(e, t); }
  Expr weights(const Expr& e) override { return d_.weights(e); }
  Expr state(const std::string& n, const Indices& s) override { return d_.state(n, s); }
  Expr parameter(const std::string& n, double v) override { return d_.parameter(n, v); }
  Expr complex_constant(const std::string& n, const Indices& s, const std::vector<std::complex<double>>& v) override {
    return d_.complex_constant(n, s, v);
  }
  void start(const Exprs& t, const std::vector<std::vector<double>>& v) override { d_.start(t, v); }
  Exprs train(const std::string& n, const Indices& s, const Extents& c, Field f) override { return d_.train(n, s, c, f); }
  Expr merged(const Expr& l, const Expr& r) override { return d_.merged(l, r); }
  Objective minimize(const Expr& e) override { return d_.minimize(e); }
  Objective declared_objective() override { return d_.declared_objective(); }
  Exprs unknowns(Objective f) const override { return d_.unknowns(f); }
  Step step(Objective f, const Exprs& e, Method m) override { return d_.step(f, e, m); }
  Minimize minimizer(Objective f, const Exprs& e, Method m) override { return d_.minimizer(f, e, m); }
  Subspace subspace(Objective f, const Expr& e) override { return d_.subspace(f, e); }
  EigenSolve lowest_eigenpair(Objective f, const Expr& e, const Exprs& o) override { return d_.lowest_eigenpair(f, e, o); }
  Split split(const Expr& e) override { return d_.split(e); }
  Assign assign(const Expr& l, const Expr& v) override { return d_.assign(l, v); }
  Value observe(const std::string& n, const Expr& e) override { return d_.observe(n, e); }
  void note(const std::string& text) override { d_.note(text); }
  Column column(const std::string& n, const std::string& h) override { return d_.column(n, h); }

 private:
  Declaration& d_;
};

plain::Table table_of(const ConstArray& a) { return {a.extents, std::vector<double>(a.as<double>(), a.as<double>() + a.size())}; }

/// The declaration of the watched plugin, and its default run with a look at all unknowns around each update.
class Wrapper final : public Algorithm {
 public:
  void declare(Declaration& d, const Settings& s) override {
    Listening listening(d);
    inner_->declare(listening, s);
    unknowns_ = listening.declared, blocks_ = listening.blocks;
  }
  void run(Iteration& it) const override {
    watch.updates.clear();
    for (const Objective f : it.objectives())
      while (it.next(f))
        for (const BlockSolve b : it.block_solves(f)) {
          Update update{.block = blocks_.at(b.id)};
          for (const Expr& u : unknowns_) update.before[u.name()] = table_of(it.read(u));
          it.apply(b);
          for (const Expr& u : unknowns_)
            if (u.name() == update.block) update.after = table_of(it.read(u)).values;
          watch.updates.push_back(std::move(update));
        }
  }

 private:
  plugin::AlgorithmOwner inner_ = plugin::create(*watch.plugin);
  Exprs unknowns_;
  std::map<std::int32_t, std::string> blocks_;
};

}  // namespace

/// The folder of this process, gone when it ends.
static const struct Scratch {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("tyto_objectives_" + std::to_string(getpid()));
  ~Scratch() { std::filesystem::remove_all(path); }
} scratch;

std::string fresh_folder(const std::string& name) {
  const std::filesystem::path folder = scratch.path / name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder.string();
}

std::string written(const std::string& folder, const std::string& name, const plain::Table& t) {
  const std::string path = folder + "/" + name + ".npy";
  tensor::write_npy(path, ConstArray(t.values.data(), t.extents));
  return path;
}

Session session_of(const std::string& plugin, const plain::Tables& inputs, const std::string& yaml) {
  Session session = Session::from_text("algorithm: " + plugin + "\nplugin_path: [" + plugin_folder + "]\n" + yaml);
  for (const auto& [name, table] : inputs) session.input(name, ConstArray(table.values.data(), table.extents));
  return session;
}

Watched watched_sweep(const std::string& plugin, const plain::Tables& inputs, const std::string& yaml) {
  static plugin::Catalogue catalogue({{.path = plugin_folder}, {.path = TYTO_PLUGIN_FOLDER}});
  watch.plugin = &catalogue.find(plugin);
  PluginInfo info = *watch.plugin;
  info.create = []() -> Algorithm* { return new Wrapper; };
  info.destroy = [](Algorithm* a) { delete a; };
  Session session = session_of(plugin, inputs, yaml);
  session.use(&info).set("solver.max_sweeps", "1").set("solver.normalize", "false");
  Watched watched{.result = session.run()};
  watched.updates = watch.updates;
  for (const std::string& name : watched.result.unknowns)
    watched.last[name] = {watched.result.array(name).extents, watched.result.array(name).values};
  return watched;
}

}  // namespace tyto::objectives
