/// The functions of tyto/host.hpp.
#include "tyto/host.hpp"
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include "config/describe.hpp"
#include "config/run_rules.hpp"
#include "session/convert.hpp"
#include "session/data_files.hpp"
#include "session/flow.hpp"
#include "tensor/read.hpp"

namespace tyto::inline v1 {

std::string version() { return TYTO_VERSION; }

std::string plugin_list() {
  plugin::Catalogue catalogue(session::plugin_folders({}));
  std::size_t width = 0;
  for (const plugin::Entry& e : catalogue.list())
    if (e.info != nullptr) width = std::max(width, std::string(e.info->name).size());
  std::string text;
  for (const plugin::Entry& e : catalogue.list()) {
    if (e.info != nullptr) text += fmt::format("{:<{}}  {:<8} {}\n", e.info->name, width, e.info->version, e.info->summary);
    else text += fmt::format("{}\n", e.trouble->what());
  }
  return text.empty() ? "no plugins found\n" : text;
}

std::string plugin_help(const std::string& name) {
  if (name == "config") return config::help_text(config::run_rules());
  plugin::Catalogue catalogue(session::plugin_folders({}));
  const PluginInfo& info = catalogue.find(name);
  const std::string keys = config::help_text(plugin::schema_of(info));
  return fmt::format("{} {}: {}\n\nsettings\n{}", info.name, info.version, info.summary, keys.empty() ? "  none\n" : keys);
}

std::string convert(const std::string& in, const std::string& out) { return session::convert(in, out); }

namespace {

std::string contents_of_container(const std::string& path) {
  std::string text = fmt::format("{}\n  format   HDF5\n", path);
  for (const tensor::Dataset& d : session::hdf5()->datasets(path))
    text += fmt::format("  dataset  {}   {}   ({}, order {})\n", d.name, tensor::text_of(d.extents), d.type, d.extents.size());
  return text;
}

}  // namespace

std::string file_info(const std::string& path) {
  if (tensor::is_hdf5(path)) return contents_of_container(path);
  const tensor::FileDescription d = tensor::describe_file(path);
  std::string text = fmt::format("{}\n  format   {}\n  extents  {}   ({}, order {})\n", path, d.format, tensor::text_of(d.extents),
                                 name_of(d.dtype), d.extents.size());
  text += fmt::format("  entries  {}\n", d.entries);
  if (d.has_statistics) {
    text += fmt::format("  nonzeros {}\n  range    {:g} .. {:g}\n  norm     {:.10g}\n", d.nonzeros, d.minimum, d.maximum,
                        d.norm.value());
    if (d.non_finite.any())
      text += fmt::format("  not finite: {} NaN, {} infinite{}\n", d.non_finite.nan, d.non_finite.inf,
                          d.non_finite.first.empty() ? "" : fmt::format(", the first at [{}]", fmt::join(d.non_finite.first, ",")));
  }
  for (const std::string& need : d.needs) text += fmt::format("  needs    {}\n", need);
  return text;
}

}  // namespace tyto::inline v1
