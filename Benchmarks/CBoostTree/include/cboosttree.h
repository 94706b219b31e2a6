/* boost::geometry's R-tree over rectangles with ids, as a contender. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct boost_tree;

struct boost_rectangle {
  double x0, y0, x1, y1;
};

/* Packs `count` rectangles, with their indices as ids; NULL where this was built without Boost. */
struct boost_tree *boost_tree_new(const struct boost_rectangle *rectangles, size_t count);
void boost_tree_free(struct boost_tree *tree);

/* The greatest id of a rectangle with x0 <= x < x1 and y0 <= y < y1, or -1. */
int32_t boost_tree_frontmost(const struct boost_tree *tree, double x, double y);

#ifdef __cplusplus
}
#endif
