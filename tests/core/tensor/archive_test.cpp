// Archives: what comes back, and files that are none, too new, cut or damaged.
#include <boost/test/unit_test.hpp>
#include "core/tensor/files.hpp"
#include "tensor/archive.hpp"
#include "tensor/checksum.hpp"
#include "tensor/file.hpp"

namespace tyto::tensor {

namespace {

const ArchiveKind kind{"tyto test", 2};

Archive some() {
  Archive archive;
  archive.add("name with\na line", std::string("text\0with zero", 14));
  archive.add("texts", std::vector<std::string>{"", "a", "b c"});
  archive.add("real", 0.1);
  archive.add("integer", std::int64_t{-7});
  Dense a = Dense::zeros(Dtype::f32, {2, 3});
  for (int k = 0; k < 6; ++k) a.view().as<float>()[k] = static_cast<float>(k) / 3;
  archive.add("array", a);
  archive.add("empty", Dense::zeros(Dtype::f64, {0, 3}));
  return archive;
}

Archive read(const std::filesystem::path& path) {
  int schema = 0;
  return read_archive(path, kind, schema);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(archives)

BOOST_AUTO_TEST_CASE(everything_comes_back) {
  const TemporaryFolder folder;
  int schema = 0;
  const Archive read = read_archive(folder.file("a", archive_bytes(some(), {"tyto test", 1})), kind, schema);
  BOOST_TEST(schema == 1);
  BOOST_TEST(read.text("name with\na line") == std::string("text\0with zero", 14));
  BOOST_TEST(read.texts("texts") == (std::vector<std::string>{"", "a", "b c"}), boost::test_tools::per_element());
  BOOST_TEST(read.real("real") == 0.1);
  BOOST_TEST(read.integer("integer") == -7);
  BOOST_TEST(read.array("array").extents() == (Extents{2, 3}), boost::test_tools::per_element());
  BOOST_TEST(read.array("array").view().as<float>()[5] == 5.F / 3);
  BOOST_TEST(read.array("empty").extents() == (Extents{0, 3}), boost::test_tools::per_element());
  BOOST_TEST(read.has("real"));
  BOOST_TEST(!read.has("other"));
  BOOST_TEST(archive_bytes(read, kind) == archive_bytes(some(), kind));
}

BOOST_AUTO_TEST_CASE(a_name_that_is_not_there_or_of_another_form_is_an_error) {
  const Archive archive = some();
  BOOST_CHECK_EXCEPTION(archive.text("other"), Error,
                        [](const Error& e) { return std::string(e.what()) == "there is no entry 'other'"; });
  BOOST_CHECK_EXCEPTION(archive.text("array"), Error,
                        [](const Error& e) { return std::string(e.what()) == "the entry 'array' is no text"; });
  BOOST_CHECK_EXCEPTION(archive.array("texts"), Error,
                        [](const Error& e) { return std::string(e.what()) == "the entry 'texts' is no array"; });
}

BOOST_AUTO_TEST_CASE(every_cut_and_every_changed_byte_is_found) {
  const TemporaryFolder folder;
  const std::string bytes = archive_bytes(some(), kind);
  for (std::size_t length = 0; length < bytes.size(); ++length)
    BOOST_CHECK_THROW(read(folder.file("cut", bytes.substr(0, length))), Error);
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    std::string changed = bytes;
    changed[k] = static_cast<char>(changed[k] ^ 0x80);
    BOOST_CHECK_THROW(read(folder.file("changed", changed)), Error);
  }
  BOOST_CHECK_THROW(read(folder.file("longer", bytes + "x")), Error);
}

BOOST_AUTO_TEST_CASE(messages_say_what_is_wrong_with_a_file) {
  const TemporaryFolder folder;
  const std::string bytes = archive_bytes(some(), kind);
  const auto error = [&](const std::string& content) { return folder.error_of([&] { read(folder.file("a", content)); }); };
  BOOST_TEST(error("PK\3\4 and more\n") ==
             "DIR/a: this is no tyto test\n  expected  a file that begins with \"tyto test\"\n  found     " +
                 first_bytes("PK\3\4 and more\n"));
  BOOST_TEST(error(archive_bytes(some(), {"tyto test", 3})) ==
             "DIR/a: a newer tyto wrote this file\n  expected  tyto test of schema 2 or older\n  found     schema 3\n"
             "  try       the tyto that wrote it, or a newer one");
  BOOST_TEST(error(bytes.substr(0, 100)) == "DIR/a: the file ends too early\n  expected  " + std::to_string(bytes.size()) +
                                                " bytes\n  found     100 bytes\n  try       an intact copy of it");
  std::string changed = bytes;
  changed[60] = static_cast<char>(changed[60] + 1);
  BOOST_TEST(
      error(changed) ==
      "DIR/a: the file is damaged\n  expected  what was written\n  found     another checksum\n  try       an intact copy of it");
}

BOOST_AUTO_TEST_CASE(a_checksum_sees_signs_order_type_and_shape) {
  const std::vector<double> values{1, 2, -3, 4}, negated{-1, -2, -3, 4}, swapped{2, 1, -3, 4};
  const std::uint64_t sum = checksum(ConstArray(values.data(), {4}));
  BOOST_TEST(checksum(ConstArray(values.data(), {4})) == sum);
  BOOST_TEST(checksum(ConstArray(negated.data(), {4})) != sum);
  BOOST_TEST(checksum(ConstArray(swapped.data(), {4})) != sum);
  BOOST_TEST(checksum(ConstArray(values.data(), {2, 2})) != sum);
  const std::vector<double> columns{1, -3, 2, 4};
  BOOST_TEST(checksum(ConstArray(columns.data(), {2, 2}, {1, 2})) == checksum(ConstArray(values.data(), {2, 2})));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::tensor
