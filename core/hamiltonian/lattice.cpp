#include "hamiltonian/lattice.hpp"
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include "error/fail.hpp"

namespace tyto::hamiltonian {

namespace {

[[noreturn]] void refuse(const LatticeRequest& request, Code code, std::string what, std::string expected, std::string found,
                         std::string hint = {}) {
  Where where = request.where;
  if (where.quote.empty()) where.quote = "lattice " + request.name;
  fail({.code = code,
        .where = where,
        .what = std::move(what),
        .expected = std::move(expected),
        .found = std::move(found),
        .hint = std::move(hint)});
}

std::int64_t width_of(const LatticeRequest& request) {
  if (request.name == "ladder") {
    if (request.width != 0 && request.width != 2)
      refuse(request, Code::contradiction, "a ladder has two legs", "width 2", fmt::format("{}", request.width), "lattice: square");
    return 2;
  }
  if (request.name == "square") {
    if (request.width == 0)
      refuse(request, Code::missing_key, "the width of the square lattice is missing", "sites of a column", "none", "width: 4");
    if (request.width < 0)
      refuse(request, Code::out_of_range, "no lattice has this width", "at least 1", fmt::format("{}", request.width));
    return request.width;
  }
  if (request.width != 0 || request.length != 0) {
    const std::string found =
        request.width != 0 ? fmt::format("width {}", request.width) : fmt::format("length {}", request.length);
    refuse(request, Code::contradiction, fmt::format("a {} has no width and no length", request.name), "sites", found,
           request.width == 0 ? fmt::format("sites: {}", request.length) : "lattice: square");
  }
  return 1;
}

std::int64_t sites_of(const LatticeRequest& request, std::int64_t width) {
  if (request.length < 0)
    refuse(request, Code::out_of_range, "no lattice has this length", "at least 1", fmt::format("{}", request.length));
  if (request.sites == 0 && request.length == 0)
    refuse(request, Code::missing_key, "the number of sites is missing", width > 1 ? "sites or length" : "sites", "none",
           "sites: 10");
  const std::int64_t sites = request.sites != 0 ? request.sites : width * request.length;
  const bool is_ring = request.name == "ring";
  if (sites < (is_ring ? 3 : 2))
    refuse(request, Code::out_of_range, is_ring ? "too few sites for a ring" : "too few sites",
           is_ring ? "at least 3" : "at least 2", fmt::format("{}", sites), is_ring && sites == 2 ? "lattice: chain" : "");
  if (request.length != 0 && sites != width * request.length)
    refuse(request, Code::contradiction, "the number of sites is not width times length", fmt::format("{}", width * request.length),
           fmt::format("{}", sites));
  if (sites % width != 0)
    refuse(request, Code::contradiction, "the sites are no whole number of columns", fmt::format("a multiple of {}", width),
           fmt::format("{}", sites));
  return sites;
}

struct Place {
  std::int64_t column, row;
};

Place place_of(std::int64_t site, std::int64_t width) {
  const std::int64_t column = (site - 1) / width, row = (site - 1) % width;
  return {column, column % 2 == 0 ? row : width - 1 - row};
}

}  // namespace

std::vector<std::string> lattice_names() { return {"chain", "ring", "ladder", "square"}; }

Lattice make_lattice(const LatticeRequest& given) {
  LatticeRequest request = given;
  if (request.name.empty()) request.name = "chain";
  const std::vector<std::string> names = lattice_names();
  if (std::find(names.begin(), names.end(), request.name) == names.end())
    refuse(request, Code::unknown_word, fmt::format("no lattice is called '{}'", request.name), listed(names), request.name,
           nearest(request.name, names));
  const std::int64_t width = width_of(request), sites = sites_of(request, width);
  Lattice lattice{request.name, sites, width};
  const bool is_plane = request.name == "ladder" || request.name == "square";
  for (std::int64_t i = 1; i <= sites; ++i)
    for (std::int64_t j = i + 1; j <= sites; ++j) {
      const Place a = place_of(i, width), b = place_of(j, width);
      const std::int64_t direct = b.column - a.column, up = std::abs(a.row - b.row);
      const std::int64_t along = request.name == "ring" ? std::min(direct, sites - direct) : direct;
      if (along + up == 1) lattice.neighbours.push_back({i, j});
      if (is_plane ? along == 1 && up == 1 : along == 2) lattice.second_neighbours.push_back({i, j});
    }
  return lattice;
}

}  // namespace tyto::hamiltonian
