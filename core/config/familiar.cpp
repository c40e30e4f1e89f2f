// The table of familiar words. Spelling is compared without letter case, '_' and '-'.
#include "config/familiar.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "config/run_rules.hpp"
#include "error/fail.hpp"

namespace tyto::config {
namespace {

/// Words of others and our keys that do the same, best first; separated and enclosed by blanks.
struct Familiar {
  const char *words, *ours;
};

constexpr Familiar key_table[] = {
    {" maxiters maxiter maxit maxits niter niters nitermax iters iterations maxiterations sweeps nsweeps numsweeps ",
     " solver.max_sweeps "},
    {" tol stoptol toltype eps epsilon ftol rtol reltol objtol convergencetol ", " solver.tolerance "},
    {" gtol pgtol gradtol ", " solver.gradient_tolerance "},
    {" maxtime maxseconds maxsecs timeout walltime ", " solver.time_limit "},
    {" randomstate randomseed rngseed rng prng ", " solver.seed "},
    {" nstarts nrepeats nrestarts restarts repeats ninit ninits numstarts ", " solver.starts "},
    {" initialguess initialization initialisation initmethod initialstate ", " solver.init "},
    {" normalise normalizefactors normalisefactors ", " solver.normalize "},
    {" nthreads numthreads ompnumthreads njobs cores ncores ", " execution.threads "},
    {" memory maxmemory ram memlimit ", " execution.memory_limit "},
    {" device backend ", " execution.executor "},
    {" dtype floattype scalartype ", " execution.precision "},
    {" outdir outputdir outputfolder outputdirectory outputfile outputfilename savedir saveto ", " output.directory "},
    {" inputfile filename path ", " data.X.file "},
    {" dims size sizes extents ", " data.X.shape "},
    {" mask ", " data.X.mask "},
    {" weights ", " data.X.weights "},
    {" fixedmodes optdims fixed ", " unknowns.A_0.fixed "},
    {" penalty ridge regularization regularisation l2reg l2 ", " unknowns.*.ridge "},
    {" plugin solvermethod ", " algorithm "},
    {" r rank ncomponents ncomp components numcomponents nfactors numfactors nf k ", " settings.rank settings.ranks "},
    {" ranks coredims corerank coreranks ", " settings.ranks settings.rank "},
    {" chi chimax maxbonddim bonddim maxbond maxm dmax ", " settings.maxdim "},
    {" svdmin truncerr maxerr trunccut ", " settings.cutoff "},
};

constexpr Familiar choice_table[] = {
    {" nvecs svd eigs ", " hosvd "},  {" normal gaussian randn ", " random-normal "}, {" uniform rand ", " random "},
    {" float64 double f8 ", " f64 "}, {" float32 single float f4 ", " f32 "},
};

std::string plain(const std::string& word) {
  std::string text;
  for (const char c : word) {
    if (c != '_' && c != '-' && c != ' ') text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

template <std::size_t size>
std::vector<std::string> look_up(const Familiar (&table)[size], const std::string& word) {
  std::vector<std::string> ours;
  for (const Familiar& familiar : table) {
    if (std::string(familiar.words).find(" " + plain(word) + " ") == std::string::npos) continue;
    std::istringstream stream(familiar.ours);
    for (std::string text; stream >> text;) ours.push_back(text);
  }
  return ours;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string section_of(const std::string& path) { return path.substr(0, path.find('.')); }

}  // namespace

std::vector<std::string> familiar_keys(const std::string& word) {
  std::vector<std::string> keys = look_up(key_table, word);
  for (const Rule& section : run_rules()) {
    if (section.form != Form::as_key) continue;
    for (const Rule& member : section.members) {
      if (plain(member.key.name) == plain(word)) keys.push_back(section.key.name + "." + member.key.name);
    }
  }
  return keys;
}

std::string suggest_key(const std::string& word, const std::string& path, const std::vector<std::string>& names) {
  const std::vector<std::string> keys = familiar_keys(word);
  for (const std::string& key : keys) {
    const std::string leaf = key.substr(key.rfind('.') + 1);
    if (contains(names, leaf)) return leaf;
  }
  const std::string near = nearest(word, names);
  if (keys.empty()) return near;
  for (const std::string& key : keys) {
    if (section_of(key) != section_of(path)) return key;
  }
  return near;
}

std::string suggest_choice(const std::string& word, const std::vector<std::string>& choices) {
  for (const std::string& known : look_up(choice_table, word)) {
    if (contains(choices, known)) return known;
  }
  return nearest(word, choices);
}

}  // namespace tyto::config
