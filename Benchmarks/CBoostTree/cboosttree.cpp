#include "cboosttree.h"

/* Where Boost is not there, it is left out: everything that is measured is built with the tests. */
#if __has_include(<boost/geometry.hpp>)
#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/function_output_iterator.hpp>
#include <utility>
#include <vector>

namespace bg = boost::geometry;
namespace bgi = boost::geometry::index;

using Point = bg::model::point<double, 2, bg::cs::cartesian>;
using Box = bg::model::box<Point>;
using Value = std::pair<Box, int32_t>;

struct boost_tree {
  // The constructor from a range packs the tree, which gives the fastest queries it has.
  explicit boost_tree(const std::vector<Value> &values) : tree(values) {}
  bgi::rtree<Value, bgi::rstar<16>> tree;
};

boost_tree *boost_tree_new(const boost_rectangle *rectangles, size_t count) {
  std::vector<Value> values;
  values.reserve(count);
  for (size_t i = 0; i < count; i++) {
    const boost_rectangle &r = rectangles[i];
    values.emplace_back(Box(Point(r.x0, r.y0), Point(r.x1, r.y1)), static_cast<int32_t>(i));
  }
  return new boost_tree(values);
}

void boost_tree_free(boost_tree *tree) { delete tree; }

int32_t boost_tree_frontmost(const boost_tree *tree, double x, double y) {
  int32_t best = -1;
  auto visit = [&](const Value &value) {
    const Box &box = value.first;
    if (value.second > best && x < box.max_corner().get<0>() && y < box.max_corner().get<1>())
      best = value.second;
  };
  tree->tree.query(bgi::intersects(Point(x, y)), boost::make_function_output_iterator(visit));
  return best;
}
#else
boost_tree *boost_tree_new(const boost_rectangle *, size_t) { return nullptr; }
void boost_tree_free(boost_tree *) {}
int32_t boost_tree_frontmost(const boost_tree *, double, double) { return -1; }
#endif
