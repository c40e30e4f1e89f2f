#include "solve/local_model.hpp"
#include <algorithm>
#include "error/fail.hpp"

namespace tyto::solve {

namespace {

const double* numbers_of(const algebra::Vector& vector) {
  const ConstArray array = vector.read();
  TYTO_ASSERT(array.space == Space::host && array.dtype == Dtype::f64);
  return array.as<double>();
}

}  // namespace

LocalModel::LocalModel(const Setup& setup, const Step& step, State& state, execute::Evaluation& evaluation, Hooks hooks)
    : setup_(setup), step_(step), state_(state), evaluation_(evaluation), hooks_(std::move(hooks)) {
  for (const Step::Block& b : step.blocks) {
    const Extents& extents = setup.tensors[static_cast<std::size_t>(b.unknown)].extents;
    blocks_.push_back({size_, extents, part_of(b.gradient), part_of(b.product), part_of(b.preconditioned)});
    size_ += element_count(extents);
    has_preconditioner_ = has_preconditioner_ || b.right >= 0;
  }
  for (const Step::Part& part : step.matrix) matrix_.push_back(part_of(part.value));
}

LocalModel::Part LocalModel::part_of(const Variants& variants) const {
  Part part{.variants = &variants, .from = {}};
  for (const Value& v : variants.of) part.from.push_back(output_view(*setup_.program, v));
  return part;
}

void LocalModel::read_unknowns(algebra::HostVector& x) const {
  double* to = x.values().data();
  for (const Step::Block& b : step_.blocks) {
    const Array& from = state_.array(b.unknown);
    tensor::copy_to(from, Array(to, from.extents));
    to += from.size();
  }
}

void LocalModel::write_unknowns(const algebra::HostVector& x) {
  const double* from = x.values().data();
  for (const Step::Block& b : step_.blocks) {
    const Array& to = state_.array(b.unknown);
    tensor::copy_to(ConstArray(from, to.extents), to);
    from += to.size();
    hooks_.changed(b.unknown);
  }
}

const ConstArray& LocalModel::value(Part& part) {
  const std::size_t variant = hooks_.turn(*part.variants);
  ConstArray& value = part.from[variant];
  value.data = evaluation_.run(part.variants->of[variant].kernel).data;
  return value;
}

void LocalModel::compute(Part& part, const Block& block, double* to) {
  tensor::copy_to(value(part), Array(to + block.begin, block.extents));
}

DenseSystem LocalModel::dense_system() {
  std::vector<double> matrix(static_cast<std::size_t>(size_ * size_));
  for (std::size_t k = 0; k < matrix_.size(); ++k) {
    const Block &row = blocks_[step_.matrix[k].row], &column = blocks_[step_.matrix[k].column];
    Extents extents = row.extents, strides = row_major(row.extents);
    for (std::int64_t& stride : strides) stride *= size_;  // what is right of the diagonal by rows is below it by columns
    extents.insert(extents.end(), column.extents.begin(), column.extents.end());
    for (const std::int64_t stride : row_major(column.extents)) strides.push_back(stride);
    tensor::copy_to(value(matrix_[k]), Array(matrix.data() + row.begin * size_ + column.begin, Dtype::f64, extents, strides));
  }
  std::vector<DenseSystem::Block> blocks;
  for (std::size_t k = 0; k < blocks_.size(); ++k)
    blocks.push_back({blocks_[k].begin, blocks_[k].begin + element_count(blocks_[k].extents), step_.blocks[k].right >= 0});
  return {std::move(matrix), std::move(blocks)};
}

void LocalModel::gradient(algebra::Vector& g) {
  auto* const to = g.write().as<double>();
  for (Block& block : blocks_) compute(block.gradient, block, to);
}

/// Where the run is in double the kernels read the vector itself.
void LocalModel::bind(std::int32_t tensor, const Block& block, const double* from) {
  const program::LeafId leaf = setup_.tensors[static_cast<std::size_t>(tensor)].leaf;
  if (leaf < 0) return;  // the product does not depend on it
  if (setup_.precision == Dtype::f64) {
    evaluation_.bind(leaf, Array(const_cast<double*>(from + block.begin), block.extents));  // kernels only read their leaves
    return;
  }
  tensor::copy_to(ConstArray(from + block.begin, block.extents), state_.array(tensor));
  evaluation_.touch(leaf);
}

void LocalModel::Map::apply(const algebra::Vector& x, algebra::Vector& y) const {
  LocalModel& m = model_;
  const double* const from = numbers_of(x);
  auto* const to = y.write().as<double>();
  for (std::size_t k = 0; k < m.blocks_.size(); ++k) {
    const Step::Block& b = m.step_.blocks[k];
    if (is_product_ || b.right >= 0) m.bind(is_product_ ? b.direction : b.right, m.blocks_[k], from);
  }
  for (std::size_t k = 0; k < m.blocks_.size(); ++k) {
    Block& block = m.blocks_[k];
    const std::int64_t begin = block.begin, end = begin + element_count(block.extents);
    if (is_product_) m.compute(block.product, block, to);
    else if (m.step_.blocks[k].right >= 0) m.compute(block.preconditioned, block, to);
    else std::copy(from + begin, from + end, to + begin);
  }
}

}  // namespace tyto::solve
