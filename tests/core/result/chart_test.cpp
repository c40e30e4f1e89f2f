#include "result/chart.hpp"
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cmath>
#include <limits>

using namespace tyto::result;

BOOST_AUTO_TEST_SUITE(chart)

BOOST_AUTO_TEST_CASE(short_lines_keep_every_point) {
  BOOST_TEST((drawn_positions({3, 1, 2}, 3) == std::vector<std::int64_t>{0, 1, 2}));
  BOOST_TEST(drawn_positions({}, 3).empty());
}

BOOST_AUTO_TEST_CASE(long_lines_keep_the_extremes_of_each_stretch) {
  std::vector<double> values(100000, 0);
  values[12345] = 7;
  values[12346] = -7;
  const std::vector<std::int64_t> positions = drawn_positions(values, 2000);
  BOOST_TEST(positions.size() <= 2000U);
  BOOST_TEST(std::is_sorted(positions.begin(), positions.end()));
  BOOST_TEST(std::count(positions.begin(), positions.end(), 12345) == 1);
  BOOST_TEST(std::count(positions.begin(), positions.end(), 12346) == 1);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_drawn_is_left_out) {
  LineChart line;
  line.series = {{"s", {1, std::numeric_limits<double>::quiet_NaN(), 3}, 0, false, ""}};
  BOOST_TEST(line_chart(line).find("points=\"0,") != std::string::npos);
  BOOST_TEST(line_chart(line).find("nan") == std::string::npos);
  BOOST_TEST(line_chart(line).find(" 1,") == std::string::npos);
  line.logarithmic = true;
  line.series[0].values = {0, 0};
  BOOST_TEST(line_chart(line) == "");
}

BOOST_AUTO_TEST_CASE(one_point_is_a_dot) {
  LineChart line;
  line.series = {{"s", {0.5}, 0, false, ""}};
  BOOST_TEST(line_chart(line).find("<circle") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(values_stand_at_their_positions_with_dots_where_those_are_wanted) {
  LineChart line{.series = {{"y", {1, 2, 4}}}, .positions = {0.5, 0.75, 2}};
  BOOST_TEST(line_chart(line).find("points=\"0.5,") != std::string::npos);
  BOOST_TEST(line_chart(line).find(" 0.75,") != std::string::npos);
  BOOST_TEST(line_chart(line).find("<circle") == std::string::npos);
  line.has_points = true;
  const std::string svg = line_chart(line);
  std::size_t dots = 0;
  for (std::size_t at = svg.find("<circle"); at != std::string::npos; at = svg.find("<circle", at + 1)) ++dots;
  BOOST_TEST(dots == 3U);
}

BOOST_AUTO_TEST_CASE(lines_are_kept_between_zero_and_one_whatever_their_size) {
  LineChart line;
  line.series = {{"s", {0, 1e200}, 0, false, ""}};
  BOOST_TEST(line_chart(line).find("points=\"0,0 1,0.943") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(bars_below_zero_hang_from_it) {
  BarChart bars;
  bars.series = {{"s", {1, -1}, 0, false, ""}};
  const std::string svg = bar_chart(bars);
  BOOST_TEST(svg.find("data-value=\"1\"") != std::string::npos);
  BOOST_TEST(svg.find("data-value=\"-1\"") != std::string::npos);
  BOOST_TEST(svg.find("height=\"-") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(colours_repeat_dashed) {
  BOOST_TEST(line_class(2) == "l3");
  BOOST_TEST(line_class(8) == "l1 dashed");
  BOOST_TEST(fill_class(8) == "f1");
}

BOOST_AUTO_TEST_SUITE_END()
