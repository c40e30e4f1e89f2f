// data, weights and constants of a declaration.
#include <boost/test/unit_test.hpp>
#include "core/problem/recorded.hpp"

using namespace tyto::v1;
using namespace tyto::test;

BOOST_FIXTURE_TEST_SUITE(inputs, Recorded)

BOOST_AUTO_TEST_CASE(data_has_the_extents_of_the_input_and_labels_named_like_its_modes) {
  const Expr x = recorder.data("X");
  BOOST_TEST(x.text() == "X(0,1)");
  BOOST_TEST(x.axis(1).extent() == 3);
  BOOST_TEST(recorder.data("X").id() == x.id());
  BOOST_TEST((recorder.data("X").shape() == x.shape()));
}

BOOST_AUTO_TEST_CASE(modes_that_the_user_gave_one_name_are_one_mode) {
  const Expr y = recorder.data("Y"), z = recorder.data("Z");
  BOOST_TEST((y.axis(1) == z.axis(0)));
  BOOST_TEST(error_of([&] { recorder.data("bad"); }) ==
             "run.yaml:9:5: mode row of bad has another extent than in another input\n  expected  row=2\n  found     row=3\n"
             "  try       different names: modes of one name are one mode");
}

BOOST_AUTO_TEST_CASE(modes_without_names_from_the_user_are_modes_of_their_own) {
  inputs.push_back({"V", {2, 3}, {"0", "1"}, false, false, at});
  BOOST_TEST((recorder.data("X").axis(0) != recorder.data("V").axis(0)));
}

BOOST_AUTO_TEST_CASE(data_under_given_labels_must_have_their_extents) {
  const std::string wrong = "run.yaml:7:3: the input X does not have the shape that the algorithm needs\n  expected  ";
  BOOST_TEST(error_of([&] { recorder.data("X", {j, i}); }) == wrong + "(j=3, i=2)\n  found     (2 x 3)");
  BOOST_TEST(error_of([&] { recorder.data("X", {i}); }) == wrong + "(i=2)\n  found     (2 x 3)");
  const Expr x = recorder.data("X", {i, j});
  BOOST_TEST(x.text() == "X(i,j)");
  const Expr again = recorder.data("X", {r, j});
  BOOST_TEST(again.text() == "X(r,j)");
  BOOST_TEST(again.id() == x.id());
  BOOST_TEST((recorder.data("X").shape() == x.shape()));
}

BOOST_AUTO_TEST_CASE(an_input_that_is_missing_is_named_with_what_there_is) {
  BOOST_TEST(error_of([&] { recorder.data("W"); }) ==
             "the input W is missing\n  expected  data.W\n  found     X, Y, Z or bad\n  try       data: {W: {file: ...}}");
  BOOST_TEST(
      error_of([&] { recorder.data("bda"); }) ==
      "the input bda is missing\n  expected  data.bda\n  found     X, Y, Z or bad\n  try       the name bda in place of bad");
  inputs.clear();
  BOOST_TEST(error_of([&] {
               recorder.data("X", {i, j});
             }) == "the input X is missing\n  expected  data.X\n  found     no data\n  try       data: {X: {file: ...}}");
  BOOST_TEST((code_of([&] { recorder.data("X"); }) == Code::missing_key));
}

BOOST_AUTO_TEST_CASE(inputs_that_may_be_left_out_can_be_asked_for) {
  BOOST_TEST(recorder.has_data("X"));
  BOOST_TEST(!recorder.has_data("W"));
}

BOOST_AUTO_TEST_CASE(a_list_is_its_items_in_order) {
  for (const std::size_t k : {1U, 0U, 2U})
    inputs.push_back({item("H", k), {1, static_cast<std::int64_t>(k) + 2}, {"0", "1"}, false, false, at});
  const Exprs h = recorder.data_list("H");
  BOOST_TEST(h.size() == 3U);
  for (std::size_t k = 0; k < h.size(); ++k) BOOST_TEST(h[k].text() == item("H", k) + "(0,1)");
  BOOST_TEST(h[2].axis(1).extent() == 4);
  BOOST_TEST((h[0].axis(0) != h[1].axis(0)));
  BOOST_TEST(recorder.data_list("H")[1].id() == h[1].id());
  BOOST_TEST(recorder.has_data("H"));
}

BOOST_AUTO_TEST_CASE(complex_items_are_complex_expressions) {
  inputs.push_back({item("H", 0), {2}, {"0"}, false, false, at, {}, true});
  BOOST_TEST((recorder.data_list("H")[0].field() == Field::complex));
}

BOOST_AUTO_TEST_CASE(a_tensor_is_no_list_and_a_list_no_tensor) {
  inputs.push_back({item("H", 0), {2}, {"0"}, false, false, at});
  inputs.push_back({item("H", 1), {2}, {"0"}, false, false, at});
  BOOST_TEST(error_of([&] { recorder.data_list("X"); }) ==
             "run.yaml:7:3: the input X is one tensor, and a list of tensors is wanted\n"
             "  expected  files: their paths in order, or one path with * for numbers\n  found     file: the path of one\n"
             "  try       data: {X: {files: \"X[*].npy\"}}");
  BOOST_TEST(error_of([&] { recorder.data("H"); }) ==
             "run.yaml:7:3: the input H is a list of tensors, and one tensor is wanted\n"
             "  expected  file: the path of one tensor\n  found     2 tensors");
  BOOST_TEST(error_of([&] { recorder.data_list("W"); }) ==
             "the input W is missing\n  expected  data.W\n  found     X, Y, Z, bad or H\n  try       data: {W: {files: [...]}}");
  BOOST_TEST(error_of([&] { recorder.reject("H", "is too long", ""); }) == "run.yaml:7:3: the input H is too long");
}

BOOST_AUTO_TEST_CASE(items_have_no_gaps) {
  inputs.push_back({item("H", 0), {2}, {"0"}, false, false, at});
  inputs.push_back({item("H", 2), {2}, {"0"}, false, false, {"run.yaml", 9, 5}});
  BOOST_TEST(error_of([&] { recorder.data_list("H"); }) ==
             "run.yaml:9:5: H[2] is no item of the list H\n  expected  H[1], the next one\n  found     H[2]\n"
             "  try       data: {H: {files: [...]}}");
}

BOOST_AUTO_TEST_CASE(a_plugin_rejects_an_input_at_its_place_in_the_config) {
  BOOST_TEST(error_of([&] { recorder.reject("X", "is no matrix of distances", "a symmetric one"); }) ==
             "run.yaml:7:3: the input X is no matrix of distances\n  try       a symmetric one");
  BOOST_TEST((code_of([&] { recorder.reject("X", "", ""); }) == Code::contradiction));
}

BOOST_AUTO_TEST_CASE(weights_are_one_where_none_are_given) {
  BOOST_TEST(recorder.weights(recorder.data("X")).text() == "1");
  BOOST_TEST(recorder.weights(recorder.data("X")).order() == 0);
}

BOOST_AUTO_TEST_CASE(weights_are_a_leaf_with_the_labels_of_their_data) {
  const Expr y = recorder.data("Y"), w = recorder.weights(y);
  BOOST_TEST(w.text() == "Y.weights(row,column)");
  BOOST_TEST(recorder.weights(y).id() == w.id());
  BOOST_TEST(recorder.weights(y({i, y.axis(1)})).text() == "Y.weights(i,column)");
  BOOST_TEST(error_of([&] { recorder.weights(y * y); }) ==
             "weights() is asked for something that is no data\n  expected  a tensor from data()\n  found     Y(row,column)^2");
}

BOOST_AUTO_TEST_CASE(constants_have_as_many_values_as_elements) {
  BOOST_TEST(recorder.constant("Q", {i, r}, {1, 2, 3, 4}).text() == "Q(i,r)");
  BOOST_TEST(error_of([&] {
               recorder.constant("P", {i, j}, {1, 2});
             }) == "the constant P has the wrong number of values\n  expected  6\n  found     2");
}

BOOST_AUTO_TEST_CASE(tensors_have_names_of_their_own) {
  recorder.data("X");
  BOOST_TEST(error_of([&] { recorder.unknown("X", {i}, {}); }) ==
             "two tensors are called X\n  expected  a name of its own for each");
  recorder.state("S", {i});
  BOOST_TEST(error_of([&] { recorder.parameter("S", 1); }) == "two tensors are called S\n  expected  a name of its own for each");
  BOOST_TEST((code_of([&] { recorder.state("S", {}); }) == Code::plugin_rule));
}

BOOST_AUTO_TEST_SUITE_END()
