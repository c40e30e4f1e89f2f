// Tables of backends that have nothing, to be refused or accepted for what their first fields say.
#include "backend/backend.hpp"
#ifdef OTHER_API
#undef TYTO_BACKEND_API
#define TYTO_BACKEND_API 77u
#endif
#ifdef OTHER_TAG
#undef TYTO_BACKEND_TAG
#define TYTO_BACKEND_TAG "core=000000000000"
#endif

TYTO_BACKEND(BARE_NAME, "1.0", "has nothing", nullptr, {}, {}, {}, {}, {}, {})
