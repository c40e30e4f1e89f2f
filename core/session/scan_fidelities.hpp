#pragma once
/// How near the states of neighbouring points of a scan are.
#include <filesystem>
#include "tyto/scan.hpp"

namespace tyto::session {

/// Scanned::fidelities: reads the trains of the runs that are kept from their folders below that of the scan, two at a time. Empty
/// where there are no trains, or their cores were not written.
std::map<std::string, std::vector<double>> fidelities(const std::vector<ScanPoint>&, const std::filesystem::path& folder);

}  // namespace tyto::session
