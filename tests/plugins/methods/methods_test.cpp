// The generic methods with the solvers of PETSc and Trilinos: the same minima, whoever computes; bounds; options and what is said
// of them.
#include "core/session/runs.hpp"

namespace tyto::session {

namespace {

constexpr const char* cp_of_x = "minimize: 0.5 * norm2(X[i,j,k] - A[i,r] * B[j,r] * C[k,r])\nunknowns: {A: {}, B: {}, C: {}}\n";

Session session_of(const std::string& method, const Table& x, int rank, const std::string& yaml,
                   const std::string& objective = cp_of_x) {
  Session session = Session::from_text("method: " + method + "\nextents: {r: " + std::to_string(rank) + "}\n" + objective + yaml);
  session.input("X", ConstArray(x.values.data(), x.extents));
  return session;
}

/// Sessions refer to their data.
const Table& noisy() {
  static const Table x = of_rank({7, 6, 5}, 2, 3, 0.1);
  return x;
}

/// The largest difference of entries of two models, relative to the largest entry.
double difference(const Result& a, const Result& b) {
  const Table x = model_of(a), y = model_of(b);
  double largest = 0, worst = 0;
  for (std::size_t k = 0; k < x.values.size(); ++k) {
    largest = std::max(largest, std::abs(x.values[k]));
    worst = std::max(worst, std::abs(x.values[k] - y.values[k]));
  }
  return worst / largest;
}

struct Listening {
  Session session;
  std::vector<std::string> messages = {};
  Result run() {
    session.on_message([this](const std::string& text) { messages.push_back(text); });
    return session.run();
  }
  bool heard(const std::string& words) const {
    return std::any_of(messages.begin(), messages.end(), [&](const std::string& m) { return m.find(words) != std::string::npos; });
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(methods)

BOOST_AUTO_TEST_CASE(inner_solvers_agree) {
  const Table& x = noisy();
  const std::string tight = "krylov_tolerance: 1e-10, max_sweeps: 200, tolerance: 0";
  const Result own = session_of("gauss-newton", x, 2, "solver: {" + tight + "}").run();
  for (const std::string other : {"backend: petsc, krylov: stcg", "backend: petsc, krylov: nash", "backend: petsc, krylov: gltr",
                                  "backend: petsc, krylov: cg", "backend: petsc, krylov: minres"
#ifdef TYTO_HAVE_TRILINOS
                                  ,
                                  "backend: trilinos", "backend: trilinos, krylov: minres"
#endif
       }) {
    const Result r = session_of("gauss-newton", x, 2, "solver: {" + other + ", " + tight + "}").run();
    BOOST_TEST(close(r.relative_error, own.relative_error, 1e-10), other << ": " << r.relative_error << ", " << r.outcome.reason);
    BOOST_TEST(difference(own, r) < 1e-6, other);
  }
}

BOOST_AUTO_TEST_CASE(minimizers_of_petsc_reach_the_minimum_of_gauss_newton) {
  const Table& x = noisy();
  const Result own = session_of("gauss-newton", x, 2, "solver: {tolerance: 0}").run();
  for (const std::string minimizer : {"ntr", "nls", "bntr", "lmvm", "blmvm"}) {
    const bool is_newton = minimizer.find("n") == 0 || minimizer == "bntr";
    const Result r = session_of(is_newton ? "newton" : "quasi-newton", x, 2,
                                (is_newton ? "settings: {loop: library}\n" : std::string()) + "solver: {minimizer: " + minimizer +
                                    ", max_sweeps: 3000, tolerance: 1e-14}")
                         .run();
    BOOST_TEST(close(r.relative_error, own.relative_error, 1e-8),
               minimizer << ": " << r.relative_error << ", " << r.outcome.reason);
    BOOST_TEST(r.history.size() == static_cast<std::size_t>(r.sweeps), minimizer);
    BOOST_TEST(r.history.back().objective == r.objective, minimizer);
  }
}

BOOST_AUTO_TEST_CASE(amino_acids_by_quasi_newton) {
  const std::vector<double> known{0.59674117, 0.36368258, 0.02504852};
  const std::string data = "data: {X: {file: " TYTO_SOURCE_DIR "/share/data/aminoacid.txt, scale: auto}}\n",
                    solver = "solver: {max_sweeps: 3000, tolerance: 1e-13, starts: 3}\n";  // one start in a few takes far longer
  for (int rank = 1; rank <= 3; ++rank) {
    const std::string r = std::to_string(rank);
    for (const std::string& run : {"algorithm: cp\nsettings: {method: quasi-newton, rank: " + r + "}\n",
                                   "method: quasi-newton\nextents: {r: " + r + "}\n" + cp_of_x}) {
      const Result result = Session::from_text(run + data + solver).run();
      BOOST_TEST(std::abs(result.relative_error - known[static_cast<std::size_t>(rank - 1)]) < 1e-8,
                 "rank " << rank << ": " << result.relative_error << ", " << result.outcome.reason);
    }
  }
}

BOOST_AUTO_TEST_CASE(limits_act_on_the_loop_of_the_library) {
  const Result few = session_of("quasi-newton", noisy(), 2, "solver: {max_sweeps: 5, tolerance: 0}").run();
  BOOST_CHECK(few.outcome.stop == Stop::sweep_limit);
  BOOST_TEST(few.sweeps == 5);
  BOOST_TEST(few.history.size() == 5);
  Session interrupted = session_of("quasi-newton", noisy(), 2, "");
  int asked = 0;
  interrupted.interrupt_when([&asked] { return ++asked == 3; });
  const Result r = interrupted.run();
  BOOST_CHECK(r.outcome.stop == Stop::interrupted);
  BOOST_TEST(r.sweeps == 3);
}

BOOST_AUTO_TEST_CASE(bounds_are_kept_and_met) {
  const Table& x = noisy();
  for (const std::string method : {"quasi-newton", "newton"}) {
    const std::string settings = method == "newton" ? "settings: {loop: library}\n" : "";
    const Result r = session_of(method, x, 2, settings + "solver: {max_sweeps: 2000, tolerance: 1e-13}",
                                "minimize: 0.5 * norm2(X[i,j,k] - A[i,r] * B[j,r] * C[k,r])\n"
                                "unknowns: {\"*\": {lower: 0.1}, A: {}, B: {}, C: {upper: 0.8}}\n")
                         .run();
    double lowest = 1, highest = 0;
    for (const char* name : {"A", "B", "C"})
      for (const double v : r.array(name).values) lowest = std::min(lowest, v);
    for (const double v : r.array("C").values) highest = std::max(highest, v);
    BOOST_TEST(lowest >= 0.1);
    BOOST_TEST(highest <= 0.8);
    BOOST_TEST(lowest == 0.1);  // the data has negative entries, so some bound is active
  }
}

BOOST_AUTO_TEST_CASE(bases_of_slepc_are_those_of_lapack) {
  const Table x = of_rank({40, 21, 33}, 6, 5, 0.2);
  const auto bases = [&](const std::string& ranks, const std::string& backend) {
    Session session = Session::from_text("algorithm: tucker-hooi\nsettings: {ranks: " + ranks +
                                         "}\nsolver: {max_sweeps: 4, backend: " + backend + "}\n");
    session.input("X", ConstArray(x.values.data(), x.extents));
    return session.run();
  };
  for (const std::string ranks : {"[3, 2, 4]", "[8, 21, 5]"}) {  // also as many as the mode has, which LAPACK finds
    const Result lapack = bases(ranks, "auto"), slepc = bases(ranks, "petsc");
    BOOST_TEST(close(slepc.relative_error, lapack.relative_error, 1e-12));
    for (const std::string& name : slepc.unknowns) {
      double worst = 0;
      for (std::size_t k = 0; k < slepc.array(name).values.size(); ++k)
        worst = std::max(worst, std::abs(slepc.array(name).values[k] - lapack.array(name).values[k]));
      BOOST_TEST(worst < 1e-7, name << ": " << worst);
    }
  }
}

BOOST_AUTO_TEST_CASE(petsc_describes_itself_and_says_which_options_nobody_read) {
  Listening run{session_of("gauss-newton", noisy(), 2,
                           "solver: {backend: petsc, petsc_options: -ksp_type gltr -ksp_view -ksp_tpye cg -pc_odd 3}")};
  run.run();
  BOOST_TEST(run.heard("type: gltr"));
  BOOST_TEST(run.heard("nothing reads the option ksp_tpye"));
  BOOST_TEST(run.heard("nothing reads the option pc_odd"));
  std::size_t views = 0;
  for (const std::string& m : run.messages) views += m.find("KSP Object") != std::string::npos;
  BOOST_TEST(views == 1);
}

BOOST_AUTO_TEST_CASE(a_view_that_nobody_asked_for_is_in_the_report_only) {
  const std::string folder = fresh_folder("view");
  Listening run{session_of("gauss-newton", noisy(), 2, "solver: {backend: petsc}\noutput: {directory: " + folder + "}")};
  run.run();
  BOOST_TEST(!run.heard("KSP Object"));
  BOOST_TEST(text_of_file(folder + "/report.html").find("KSP Object") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_unknown_type_is_an_error_of_petsc) {
  BOOST_CHECK_EXCEPTION(session_of("gauss-newton", noisy(), 2, "solver: {backend: petsc, petsc_options: -ksp_type nonsense}").run(),
                        Error, [](const Error& error) { return std::string(error.what()).find("nonsense") != std::string::npos; });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
