#include "plan/fuse.hpp"
#include <algorithm>
#include "plan/fuse_accumulation.hpp"
#include "plan/fuse_elementwise.hpp"
#include "plan/fuse_identities.hpp"
#include "plan/fuse_products.hpp"
#include "plan/fuse_slabs.hpp"

namespace tyto::plan {

const std::vector<Fusion>& fusions() {
  static const std::vector<Fusion> all = {
      {"fuse_identities", "what is multiplied by an identity is written on a diagonal of zeros", fuse_identities},
      {"fuse_elementwise", "chains of elementwise operations, with a sum at their end, tile by tile", fuse_elementwise},
      {"fuse_products", "a Khatri-Rao product is multiplied while the contraction that reads it runs", fuse_products},
      {"fuse_accumulation", "contractions scaled and added where their sum is wanted", fuse_accumulation},
      {"fuse_slabs", "steps that go over the same large tensor run slab by slab, so that it is read once", fuse_slabs},
  };
  return all;
}

std::vector<std::string> fusion_names() {
  std::vector<std::string> names;
  for (const Fusion& fusion : fusions()) names.push_back(fusion.name);
  return names;
}

Lowered fused(Lowered lowered, const FusionContext& context, const std::vector<std::string>& switched_off) {
  for (const Fusion& fusion : fusions())
    if (std::find(switched_off.begin(), switched_off.end(), fusion.name) == switched_off.end())
      lowered = fusion.run(lowered, context);
  return lowered;
}

}  // namespace tyto::plan
