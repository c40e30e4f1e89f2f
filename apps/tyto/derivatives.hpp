#pragma once
/// `tyto check-derivative`: the derivatives of a run's objectives as a table, and in one line whether they agree.
#include <string>
#include <vector>
#include <tyto/session.hpp>

std::string table_of(const std::vector<tyto::ObjectiveDerivative>&);
bool all_agree(const std::vector<tyto::ObjectiveDerivative>&);
