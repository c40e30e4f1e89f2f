#pragma once
/// Libraries of a backend are visible to that backend alone. Some of them open plugins of their own that expect otherwise.

namespace tyto::backend {

/// Lets everything that is loaded from now on find the symbols of the library that holds this address. Does nothing if there is
/// none.
void make_visible_to_all(const void* address_in_library);

}  // namespace tyto::backend
