#pragma once
/// Ownership of HDF5's objects, and what its calls answer: codes become errors with the library's words.
#include <hdf5.h>
#include <string>
#include <utility>

namespace tyto::tensor::hdf5 {

/// An object that is closed with this.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  hid_t get() const { return id_; }
  operator hid_t() const { return id_; }  // NOLINT: it stands where the library takes an identifier

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// While it lives the library does not print its errors.
class Quiet {
 public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// What the library says of its last failed call: the words of the function where the trouble began.
std::string reason();

}  // namespace tyto::tensor::hdf5
