// Writing files whole or not at all.
#include "tensor/write.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <sys/wait.h>
#include "core/tensor/files.hpp"

using namespace tyto;
using namespace tyto::tensor;

BOOST_AUTO_TEST_CASE(files_are_written_and_replaced_and_nothing_else_is_left) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a.txt";
  write_file(path, "first");
  write_file(path, std::string("sec\0nd", 6));
  BOOST_TEST(bytes_of(path) == std::string("sec\0nd", 6));
  write_file(folder.path() / "empty", "");
  BOOST_TEST(folder.count() == 2);
}

BOOST_AUTO_TEST_CASE(a_name_without_a_folder_is_in_the_current_one) {
  const TemporaryFolder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  write_file("b.txt", "x");
  std::filesystem::current_path(before);
  BOOST_TEST(bytes_of(folder.path() / "b.txt") == "x");
}

BOOST_AUTO_TEST_CASE(what_a_process_that_is_gone_left_unfinished_is_removed) {
  const TemporaryFolder folder;
  const pid_t gone = ::fork();
  if (gone == 0) ::_exit(0);
  ::waitpid(gone, nullptr, 0);
  const auto of_gone = folder.file(fmt::format(".x.{}-0.part", gone), "part"),
             own = folder.file(fmt::format(".x.{}-0.part", ::getpid()), "part"),
             other = folder.file(fmt::format(".y.{}-0.part", gone), "part");
  remove_unfinished(folder.path() / "x");
  BOOST_TEST(!std::filesystem::exists(of_gone));
  BOOST_TEST(std::filesystem::exists(own));
  BOOST_TEST(std::filesystem::exists(other));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_written_is_an_error_with_the_reason) {
  const TemporaryFolder folder;
  BOOST_TEST(folder.error_of([&] { write_file(folder.path() / "none" / "a.txt", "x"); }) ==
             "DIR/none/a.txt: the file cannot be written\n"
             "  found     No such file or directory\n"
             "  try       making the folder \"DIR/none\" first");
  std::filesystem::create_directory(folder.path() / "sub");
  BOOST_TEST(folder.error_of([&] { write_file(folder.path() / "sub", "x"); }) ==
             "DIR/sub: the file cannot be written\n"
             "  found     Is a directory\n"
             "  try       another name: a folder has this one");
  BOOST_TEST(folder.count() == 1);
  folder.file("f", "x");
  BOOST_TEST(folder.error_of([&] { write_file(folder.path() / "f" / "a.txt", "x"); }) ==
             "DIR/f/a.txt: the file cannot be written\n"
             "  found     Not a directory\n"
             "  try       making the folder \"DIR/f\" first");
}
