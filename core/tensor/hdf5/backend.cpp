// The module that reads and writes HDF5.
#include "backend/backend.hpp"
#include "tensor/hdf5/container.hpp"

using tyto::backend::factory_of;

TYTO_BACKEND("hdf5", TYTO_HDF5_VERSION, "files of HDF5", nullptr, {}, {}, {}, {}, {}, {},
             (factory_of<tyto::tensor::Container, tyto::tensor::hdf5::File>()))
