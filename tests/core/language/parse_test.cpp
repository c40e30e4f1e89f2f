#include "language/parse.hpp"
#include <boost/test/unit_test.hpp>
