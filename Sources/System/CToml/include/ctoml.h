/*
 * A C face over toml++: a text in; its tables, arrays and values out, each with its line and
 * column.
 *
 * A document is owned by the caller and freed with ctoml_free. Values are borrowed from it: they
 * are toml++'s own nodes, nothing is copied, and they end with the document. Lines and columns
 * start at 1; a column counts code points. No C++ exception leaves these functions.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CTOML_MAX_KEY_PARTS 32 /* of a dotted key such as a.b.c */

typedef struct ctoml_document ctoml_document;
typedef struct ctoml_value ctoml_value;

enum ctoml_kind {
  CTOML_TABLE = 1,
  CTOML_ARRAY = 2,
  CTOML_STRING = 3,
  CTOML_INTEGER = 4,
  CTOML_FLOAT = 5,
  CTOML_BOOLEAN = 6,
  CTOML_DATE = 7, /* a date, a time or both */
};

struct ctoml_position {
  uint32_t line;
  uint32_t column;
};

/* UTF-8 without a terminating zero, borrowed from the document. */
struct ctoml_text {
  const char *bytes;
  size_t size;
};

struct ctoml_entry {
  struct ctoml_text key;
  struct ctoml_position position; /* of the key */
  const ctoml_value *value;
};

struct ctoml_failure {
  struct ctoml_position position;
  char message[256]; /* terminated, cut where it is longer */
};

/*
 * The document, or null with `failure` filled in: the text is not TOML, or memory ran out (then
 * position is 0:0).
 */
ctoml_document *ctoml_parse(const char *text, size_t size, struct ctoml_failure *failure);
void ctoml_free(ctoml_document *document);

/* The table of the document's top level. */
const ctoml_value *ctoml_root(const ctoml_document *document);

enum ctoml_kind ctoml_kind_of(const ctoml_value *value);
struct ctoml_position ctoml_place(const ctoml_value *value);

/* The number of elements of an array or entries of a table; 0 for every other kind. */
size_t ctoml_count(const ctoml_value *value);

/* The element of an array; null where it has none at that index, and for every other kind. */
const ctoml_value *ctoml_element(const ctoml_value *array, size_t index);

/* The value of a table's key; null where the table has no such key, and for every other kind. */
const ctoml_value *ctoml_find(const ctoml_value *table, const char *key, size_t size);

/* Fills `entries`, which has room for ctoml_count(table), in the order of the text. */
void ctoml_entries(const ctoml_value *table, struct ctoml_entry *entries);

/* The value where it is of that kind; 0, false or an empty text for every other kind. */
struct ctoml_text ctoml_string(const ctoml_value *value);
int64_t ctoml_integer(const ctoml_value *value);
double ctoml_float(const ctoml_value *value);
bool ctoml_boolean(const ctoml_value *value);

#ifdef __cplusplus
}
#endif
