#include "command_line.hpp"
#include <algorithm>
#include <boost/program_options.hpp>
#include <fmt/format.h>
#include <tyto/error.hpp>

namespace {

namespace options = boost::program_options;

constexpr const char* options_text =
    "--set KEY=VALUE, --over KEY=VALUES, --apart, --check, --compare NAMES, --verify, --analyze, --output FILE, --quiet, --help or "
    "--version";

struct Command {
  std::string name, operand, help;
  bool takes_settings = false;
};

const std::vector<Command>& commands() {
  static const std::vector<Command> all{
      {"run", "FILE.yaml", "run it; --check compares the result with `expect:`", true},
      {"resume", "DIR", "go on with the run that wrote DIR; --set may change its limits", true},
      {"scan", "FILE.yaml", "run it for many values of one key: --set KEY=FIRST:LAST:STEP", true},
      {"check", "FILE.yaml", "find what is wrong, run nothing", true},
      {"check-derivative", "FILE.yaml", "gradients and Hessians of the objective against differences of its values", true},
      {"explain", "FILE.yaml", "the plan: steps, flops, memory, and why", true},
      {"list", "", "the algorithms there are"},
      {"describe", "NAME", "the settings of an algorithm; `config`: the keys of FILE.yaml"},
      {"info", "FILE", "what a data file holds"},
      {"convert", "IN OUT.npy", "the tensor of a data file or of a result's folder; of FILE.yaml a list, as H[*].npy"},
      {"calibrate", "", "measure this processor, so that plans suit it; half a minute"},
  };
  return all;
}

[[noreturn]] void refuse(const std::string& what, const std::string& expected, const std::string& found) {
  throw tyto::Error(tyto::Finding{.code = tyto::Code::syntax,
                                  .where = {.file = "command line"},
                                  .what = what,
                                  .expected = expected,
                                  .found = found,
                                  .hint = "tyto --help"});
}

const Command& command_named(const std::string& name) {
  std::string names;
  for (const Command& c : commands()) {
    if (c.name == name) return c;
    names += (names.empty() ? "" : ", ") + c.name;
  }
  refuse(fmt::format("unknown command '{}'", name), names, "");
}

void check_operands(const Command& c, const std::vector<std::string>& words) {
  const std::string expected = c.operand.empty() ? fmt::format("tyto {}", c.name) : fmt::format("tyto {} {}", c.name, c.operand);
  const auto wanted = static_cast<std::size_t>(c.operand.empty() ? 1 : 2 + std::count(c.operand.begin(), c.operand.end(), ' '));
  if (words.size() < wanted)
    refuse(fmt::format("'tyto {}' does not say which {}", c.name,
                       c.operand == "NAME"  ? "name"
                       : c.operand == "DIR" ? "folder"
                       : wanted > 2         ? "files"
                                            : "file"),
           expected, "");
  if (words.size() > wanted)
    refuse(fmt::format("'tyto {}' takes {}", c.name,
                       wanted == 1  ? "nothing more"
                       : wanted > 2 ? c.operand
                                    : "one " + c.operand),
           expected, words[wanted]);
}

void check_options(const Command& c, const Arguments& a) {
  const bool runs = c.name == "run" || c.name == "resume" || c.name == "scan";
  if (!runs && (a.check || a.quiet || !a.compare.empty()))
    refuse(fmt::format("'tyto {}' does not take {}", c.name,
                       a.check   ? "--check"
                       : a.quiet ? "--quiet"
                                 : "--compare"),
           "it with 'tyto run'", "");
  if (c.name != "run" && !a.compare.empty())
    refuse(fmt::format("'tyto {}' does not take --compare", c.name), "it with 'tyto run'", "");
  if (a.compare.size() == 1) refuse("--compare names one", "two or more, as in --compare petsc,trilinos", a.compare[0]);
  if (c.name != "scan" && (a.apart || !a.over.empty()))
    refuse(fmt::format("'tyto {}' does not take {}", c.name, a.apart ? "--apart" : "--over"), "it with 'tyto scan'", "");
  if (c.name != "explain" && a.analyze)
    refuse(fmt::format("'tyto {}' does not take --analyze", c.name), "it with 'tyto explain'", "");
  if (c.name != "calibrate" && !a.output.empty())
    refuse(fmt::format("'tyto {}' does not take --output", c.name),
           "it with 'tyto calibrate'; output.directory is a key of FILE.yaml", "");
  if (!c.takes_settings && !a.settings.empty())
    refuse(fmt::format("'tyto {}' does not take --set", c.name), "it with a FILE.yaml", "");
}

std::pair<std::string, std::string> split(const std::string& setting) {
  const std::size_t end = setting.find('=');
  if (end == std::string::npos)
    refuse("--set has no value", "--set KEY=VALUE, as in --set solver.max_sweeps=5", "--set " + setting);
  return {setting.substr(0, end), setting.substr(end + 1)};
}

std::pair<std::string, std::string> split_values(const std::string& values) {
  const std::size_t end = values.find('=');
  if (end == std::string::npos)
    refuse("--over has no values", "--over KEY=FIRST:LAST:STEP or --over KEY=[a, b, c]", "--over " + values);
  return {values.substr(0, end), values.substr(end + 1)};
}

/// Numbers with colons between them, which no key takes for a value.
bool is_range(const std::string& value) {
  return value.find(':') != std::string::npos && value.find_first_not_of("0123456789+-.eE: ") == std::string::npos;
}

/// `scan` takes one key apart from the others: that of --over, or the one whose --set is a range.
void find_scanned_key(Arguments& a) {
  std::vector<std::pair<std::string, std::string>> settings;
  for (std::pair<std::string, std::string>& setting : a.settings)
    (is_range(setting.second) ? a.over : settings).push_back(std::move(setting));
  a.settings = std::move(settings);
  constexpr const char* one = "--set KEY=FIRST:LAST:STEP or --over KEY=[a, b, c], once";
  if (a.over.empty()) refuse("'tyto scan' does not say which key has many values", one, "");
  if (a.over.size() > 1)
    refuse("'tyto scan' takes one key with many values", one, fmt::format("{} and {}", a.over[0].first, a.over[1].first));
}

std::vector<std::string> listed_words(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

}  // namespace

Arguments parse(int argc, const char* const* argv) try {
  Arguments a;
  std::vector<std::string> words, settings, over;
  std::string compare;
  bool verify = false;
  options::options_description known;
  known.add_options()("help,h", "")("version", "")("quiet", options::bool_switch(&a.quiet))(
      "check", options::bool_switch(&a.check))("verify", options::bool_switch(&verify))(
      "analyze", options::bool_switch(&a.analyze))("apart", options::bool_switch(&a.apart))("output", options::value(&a.output))(
      "compare", options::value(&compare))("set", options::value(&settings))("over", options::value(&over))("word",
                                                                                                            options::value(&words));
  options::positional_options_description positions;
  positions.add("word", -1);
  // No guessing: an abbreviation that works today would be another option's name tomorrow.
  const int style = options::command_line_style::unix_style & ~options::command_line_style::allow_guessing;
  options::variables_map given;
  options::store(options::command_line_parser(argc, argv).options(known).positional(positions).style(style).run(), given);
  options::notify(given);
  if (given.contains("version")) return {.wish = Arguments::Wish::version};
  if (given.contains("help")) return {.wish = Arguments::Wish::help};
  if (words.empty()) refuse("there is no command", "tyto COMMAND ..., as in tyto run FILE.yaml", "");
  const Command& command = command_named(words[0]);
  check_operands(command, words);
  a.command = command.name;
  if (words.size() > 1) a.operand = words[1];
  a.compare = listed_words(compare);
  if (words.size() > 2) a.second = words[2];
  for (const std::string& setting : settings) a.settings.push_back(split(setting));
  for (const std::string& values : over) a.over.push_back(split_values(values));
  if (command.name == "scan") find_scanned_key(a);
  if (verify && !command.takes_settings)
    refuse(fmt::format("'tyto {}' does not take --verify", command.name), "it with a FILE.yaml", "");
  if (verify) a.settings.emplace_back("plan.verify", "true");
  check_options(command, a);
  return a;
} catch (const options::unknown_option& error) {
  refuse(fmt::format("unknown option '{}'", error.get_option_name()), options_text, "");
} catch (const options::error& error) {
  refuse(error.what(), options_text, "");
}

std::string usage() {
  std::string text = "tyto runs declared tensor objectives: decompositions and what plugins add\n\n";
  for (const Command& c : commands()) text += fmt::format("  {:<33}{}\n", fmt::format("tyto {} {}", c.name, c.operand), c.help);
  return text +
         "\n"
         "  --set KEY=VALUE                  instead of what FILE.yaml says, as in --set solver.max_sweeps=5; may be repeated\n"
         "  --set KEY=FIRST:LAST:STEP        with scan: the values of the key that is scanned; once\n"
         "  --over KEY=VALUES                with scan: the same, of a range or of a list of values, [a, b, c]\n"
         "  --apart                          with scan: no run starts from the result of its neighbour\n"
         "  --check                          with run, resume or scan: exit status 1 where a result is not what `expect:` asks "
         "for\n"
         "  --compare NAMES                  with run: once with each of builtin, petsc, trilinos, cpu, reference that is named,\n"
         "                                   separated by commas, and how far the results lie apart\n"
         "  --verify                         compare every pass of the optimizer before and after on random numbers\n"
         "  --analyze                        with explain: run the cycle a few times; predicted and measured time of each step\n"
         "  --output FILE                    with calibrate: where to write, instead of the user's cache\n"
         "  --quiet                          with run or resume: no line per sweep; with scan: no line per run\n"
         "  --help, --version\n\n"
         "TYTO_PLUGIN_PATH lists further folders with plugins, separated by colons.\n"
         "TYTO_CALIBRATION names a file that calibrate wrote, or is `off`; TYTO_ISA is portable, avx2 or avx512.\n"
         "Interrupted (Ctrl-C, SIGTERM), a run finishes its sweep and writes the result; a second time, it ends at once.\n"
         "A scan then writes what it has.\n\n"
         "exit status: 0 done, or interrupted and written; 1 failed after the first sweep, --check not met, or derivatives\n"
         "             that do not agree; 2 refused before the first sweep; 3 not converged where the run file requires it\n";
}
