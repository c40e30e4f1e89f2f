#include "optimize/embedding.hpp"
#include <algorithm>

namespace tyto::optimize {

using einsum::Label;
using einsum::Labels;
using graph::NodeId;

namespace {

class Embedding {
 public:
  Embedding(const Product& product, const Product& network) : product_(product), network_(network) {}

  std::optional<Embedded> find() {
    if (product_.operands.size() > network_.operands.size()) return std::nullopt;
    to_network_.assign(static_cast<std::size_t>(einsum::label_count(product_.subscripts)), -1);
    to_product_.assign(static_cast<std::size_t>(einsum::label_count(network_.subscripts)), -1);
    return place(0, 0) ? std::optional<Embedded>(found_) : std::nullopt;
  }

 private:
  bool place(std::size_t k, Operands taken) {
    if (k == product_.operands.size()) return complete(taken);
    for (std::size_t m = 0; m < network_.operands.size(); ++m) {
      if ((taken >> m & 1) != 0 || network_.operands[m] != product_.operands[k] || has_free_twin(m, taken)) continue;
      const auto saved_network = to_network_, saved_product = to_product_;
      if (match(product_.subscripts.inputs[k], network_.subscripts.inputs[m]) && place(k + 1, taken | Operands{1} << m))
        return true;
      to_network_ = saved_network, to_product_ = saved_product;
    }
    return false;
  }
  /// An operand equal to m in node and labels that is free and stands before it: trying m as well would find the same again.
  bool has_free_twin(std::size_t m, Operands taken) const {
    for (std::size_t other = 0; other < m; ++other)
      if ((taken >> other & 1) == 0 && network_.operands[other] == network_.operands[m] &&
          network_.subscripts.inputs[other] == network_.subscripts.inputs[m])
        return true;
    return false;
  }
  bool match(const Labels& own, const Labels& other) {
    for (std::size_t axis = 0; axis < own.size(); ++axis) {
      Label &there = to_network_[static_cast<std::size_t>(own[axis])], &here = to_product_[static_cast<std::size_t>(other[axis])];
      if (there < 0 && here < 0) there = other[axis], here = own[axis];
      if (there != other[axis] || here != own[axis]) return false;
    }
    return true;
  }
  bool complete(Operands taken) {
    const Operands all = (Operands{1} << network_.operands.size()) - 1;
    Labels wanted;
    for (const Label label : product_.subscripts.output) wanted.push_back(to_network_[static_cast<std::size_t>(label)]);
    Labels sorted = wanted;
    std::sort(sorted.begin(), sorted.end());
    if (sorted != message_labels({network_.subscripts, {}}, taken)) return false;
    found_ = {all ^ taken, wanted};
    return true;
  }

  const Product &product_, &network_;
  Labels to_network_, to_product_;
  Embedded found_;
};

}  // namespace

std::optional<Embedded> embedded(const Product& product, const Product& network) { return Embedding(product, network).find(); }

bool may_embed(const std::vector<NodeId>& product, const std::vector<NodeId>& sorted_network) {
  if (product.size() > sorted_network.size()) return false;
  std::vector<NodeId> sorted = product;
  std::sort(sorted.begin(), sorted.end());
  return std::includes(sorted_network.begin(), sorted_network.end(), sorted.begin(), sorted.end());
}

}  // namespace tyto::optimize
