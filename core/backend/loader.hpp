#pragma once
/// Backend modules in files: found by name and opened only when a run asks for one, since what they link is large.
#include <string>
#include <vector>
#include "backend/backend.hpp"
#include "module/module.hpp"

namespace tyto::backend {

/// The names that load() knows, from file names alone: nothing is opened.
std::vector<std::string> names_in(const std::vector<module::Folder>&);

/// The backend in the first file of that name ("petsc" is petsc.so). It stays loaded until the process ends.
/// Throws Error{backend} if there is none, if it calls itself otherwise, or if this machine cannot use it, with the reason;
/// Error{plugin_symbol}, Error{plugin_api}, Error{plugin_tag} if the file does not fit this tyto.
const BackendInfo& load(const std::vector<module::Folder>&, const std::string& name);

}  // namespace tyto::backend
