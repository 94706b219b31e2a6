/* properties.c: properties of views, checked and written. It keeps nothing. */

#include "internal.h"

/* The kinds of values. */
enum form {
  FORM_UNKNOWN,
  FORM_NUMBERS,
  FORM_WHOLE, /* a whole number */
  FORM_SHAPE,
  FORM_INSIDE,
  FORM_HIT,
  FORM_TEXT, /* its words, of so many characters at most */
  FORM_NAME, /* the same of letters, digits, _, . and - */
  FORM_NOTHING,
};

/* What the value of a property is. */
struct property_form {
  enum form form;
  int value_count;
  int32_t least, most;
  const char *wrong; /* what a value has to be */
};

/* By its number. scripts/properties writes these lines. */
static const struct property_form property_forms[] = {
    [TOUCHROUTE_PROPERTY_HIDDEN] = {FORM_WHOLE, 1, 0, 1,
        "its value has to be 0 or 1"},
    [TOUCHROUTE_PROPERTY_ALPHA] = {FORM_NUMBERS, 1, 0, 0, NULL},
    [TOUCHROUTE_PROPERTY_INTERACTION] = {FORM_WHOLE, 1, 0, 1,
        "its value has to be 0 or 1"},
    [TOUCHROUTE_PROPERTY_FRAME] = {FORM_NUMBERS, 4, 0, 0, NULL},
    [TOUCHROUTE_PROPERTY_BOUNDS_ORIGIN] = {FORM_NUMBERS, 2, 0, 0, NULL},
    [TOUCHROUTE_PROPERTY_TRANSFORM] = {FORM_NUMBERS, 6, 0, 0, NULL},
    [TOUCHROUTE_PROPERTY_ORDER] = {FORM_WHOLE, 1, 0, 2147483647,
        "its value has to be a whole number from 0 to 2147483647"},
    [TOUCHROUTE_PROPERTY_CONFIGURED] = {FORM_NOTHING, 0, 0, 0, NULL},
    [TOUCHROUTE_PROPERTY_OUTSET] = {FORM_NUMBERS, 4, 0, 0, NULL},
    [TOUCHROUTE_PROPERTY_SHAPE] = {FORM_SHAPE, 2, 0, 0, NULL},
    [TOUCHROUTE_PROPERTY_INSIDE] = {FORM_INSIDE, 1, 0, 0, NULL},
    [TOUCHROUTE_PROPERTY_HIT] = {FORM_HIT, 1, 0, 0, NULL},
    [TOUCHROUTE_PROPERTY_SECURE] = {FORM_WHOLE, 1, 0, 1,
        "its value has to be 0 or 1"},
    [TOUCHROUTE_PROPERTY_EXCLUSIVE_TOUCH] = {FORM_WHOLE, 1, 0, 1,
        "its value has to be 0 or 1"},
    [TOUCHROUTE_PROPERTY_MULTIPLE_TOUCH] = {FORM_WHOLE, 1, 0, 1,
        "its value has to be 0 or 1"},
    [TOUCHROUTE_PROPERTY_LEVEL] = {FORM_WHOLE, 1, -1000000, 1000000,
        "its value has to be a whole number from -1000000 to 1000000"},
    [TOUCHROUTE_PROPERTY_ENABLED] = {FORM_WHOLE, 1, 0, 1,
        "its value has to be 0 or 1"},
    [TOUCHROUTE_PROPERTY_LABEL] = {FORM_TEXT, 0, 0, 80,
        "its words have to be a text of at most 80 characters, without control characters"},
    [TOUCHROUTE_PROPERTY_FEEDBACK] = {FORM_NAME, 0, 0, 40,
        "its words have to be a name of at most 40 letters, digits, _, . and -"},
};

/* Never NULL. */
static const struct property_form *form_of(uint32_t property) {
  size_t count = sizeof property_forms / sizeof *property_forms;
  return &property_forms[property < count ? property : 0];
}

static int is_property(uint32_t property) { return form_of(property)->form != FORM_UNKNOWN; }

static int value_count(uint32_t property) { return form_of(property)->value_count; }

static int is_whole(double value, int32_t least, int32_t most) {
  return value >= least && value <= most && value == (double)(int32_t)value;
}

static int are_finite(const double *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!(values[i] - values[i] == 0)) /* not of infinities, and not of what is no number */
      return 0;
  return 1;
}

/* What is wrong with a property's numbers whatever view it is of; NULL where nothing is. */
static const char *wrong_values(uint32_t property, const double *values) {
  if (!are_finite(values, (size_t)value_count(property)))
    return "its values have to be finite numbers";
  const struct property_form *form = form_of(property);
  switch (form->form) {
  case FORM_WHOLE: return is_whole(values[0], form->least, form->most) ? NULL : form->wrong;
  case FORM_SHAPE:
    if (!is_whole(values[0], TOUCHROUTE_SHAPE_RECT, TOUCHROUTE_SHAPE_POLYGON))
      return "its first value has to be one of enum touchroute_shape";
    return values[0] == TOUCHROUTE_SHAPE_ROUNDED || values[1] == 0
               ? NULL
               : "a radius is for TOUCHROUTE_SHAPE_ROUNDED alone";
  case FORM_INSIDE:
    return is_whole(values[0], TOUCHROUTE_INSIDE_BOUNDS, TOUCHROUTE_INSIDE_CHILDREN)
               ? NULL
               : "its value has to be one of enum touchroute_inside";
  case FORM_HIT:
    return is_whole(values[0], TOUCHROUTE_HIT_DEFAULT, TOUCHROUTE_HIT_FIRST)
               ? NULL
               : "its value has to be one of enum touchroute_hit";
  default: return NULL;
  }
}

static size_t words_size(const struct touchroute_property_change *change) {
  return change->words ? strlen(change->words) : 0;
}

/* Whether a text is for people, and has at most so many characters. The daemon knows more of the
   characters of control and format. */
static int is_text(const char *text, int32_t most) {
  int32_t count = 0;
  for (const unsigned char *byte = (const unsigned char *)text; *byte; byte++) {
    if (*byte < ' ' || *byte == 0x7f)
      return 0;
    count += (*byte & 0xc0) != 0x80; /* the first of a character */
    if (count > most)
      return 0;
  }
  return 1;
}

/* Whether a name is made as those of paths are, and has at most so many characters. */
static int is_name(const char *name, int32_t most) {
  static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
  size_t size = strspn(name, allowed);
  return name[size] == '\0' && size <= (size_t)most;
}

/* What is wrong with the words and points of a change; NULL where nothing is. */
static const char *wrong_parts(const struct touchroute_property_change *change) {
  int rule = (int)change->values[0];
  enum form form = form_of(change->property)->form;
  int needs_words =
      form == FORM_HIT && (rule == TOUCHROUTE_HIT_REDIRECT || rule == TOUCHROUTE_HIT_FIRST);
  int may_have_words = needs_words || form == FORM_TEXT || form == FORM_NAME ||
                       (form == FORM_INSIDE && rule == TOUCHROUTE_INSIDE_CHILDREN);
  if (needs_words && words_size(change) == 0)
    return "its words have to be the path of a descendant";
  if (!may_have_words && words_size(change) > 0)
    return "it has no words";
  const struct property_form *text = form_of(change->property);
  if (form == FORM_TEXT && change->words && !is_text(change->words, text->most))
    return text->wrong;
  if (form == FORM_NAME && change->words && !is_name(change->words, text->most))
    return text->wrong;
  int is_polygon = form == FORM_SHAPE && rule == TOUCHROUTE_SHAPE_POLYGON;
  if (!is_polygon)
    return change->point_count == 0 ? NULL : "it has no points";
  if (change->point_count < 3 || !change->points)
    return "a polygon has at least 3 points";
  if (change->point_count > TOUCHROUTE_MAX_REQUEST / 16)
    return NULL; /* too many for a request, which is said of them all */
  return are_finite(change->points, (size_t)change->point_count * 2)
             ? NULL
             : "its points have to be finite numbers";
}

/* The bytes of a change in a request. */
static size_t change_size(const struct touchroute_property_change *change) {
  return sizeof(struct touchroute_change) + padded(strlen(change->path)) +
         padded(words_size(change)) + (size_t)change->point_count * 2 * sizeof(double);
}

/* The bytes that the changes take in a request, or a failure. */
static long measure_changes(struct touchroute_connection *c,
                            const struct touchroute_property_change *changes, uint32_t count) {
  size_t total = 0;
  for (uint32_t i = 0; i < count; i++) {
    const char *path = changes[i].path;
    size_t size = path ? strlen(path) : 0;
    if (size == 0)
      return fail(c, EINVAL, "change %u of %u has no path: set needs that of a view or window",
                  (unsigned)i + 1, (unsigned)count);
    int result = check_path(c, path, size);
    if (result < 0)
      return result;
    if (!is_property(changes[i].property))
      return fail(c, EINVAL, "setting %.256s: there is no property %u", path,
                  (unsigned)changes[i].property);
    const char *wrong = wrong_values(changes[i].property, changes[i].values);
    if (!wrong)
      wrong = wrong_parts(&changes[i]);
    if (wrong)
      return fail(c, EINVAL, "setting %.256s: property %u: %s", path,
                  (unsigned)changes[i].property, wrong);
    total += change_size(&changes[i]);
    if (total > request_limit(c) - sizeof(struct touchroute_set))
      return fail(c, EMSGSIZE,
                  "%u of %u changes fit into a request of %u bytes, the daemon's limit: set fewer "
                  "at once",
                  (unsigned)i, (unsigned)count, (unsigned)request_limit(c));
  }
  return (long)total;
}

/* Writes a change that was measured; what is between its parts is zero. */
static void write_change(const struct touchroute_property_change *from, unsigned char *to) {
  struct touchroute_change change = {.property = (uint16_t)from->property,
                                     .point_count = (uint16_t)from->point_count,
                                     .path_size = (uint16_t)strlen(from->path),
                                     .words_size = (uint16_t)words_size(from)};
  memcpy(change.values, from->values,
         (size_t)value_count(change.property) * sizeof *change.values);
  memcpy(to, &change, sizeof change);
  to += sizeof change;
  memcpy(to, from->path, change.path_size);
  to += padded(change.path_size);
  if (change.words_size > 0)
    memcpy(to, from->words, change.words_size);
  to += padded(change.words_size);
  if (change.point_count > 0)
    memcpy(to, from->points, change.point_count * 2 * sizeof(double));
}

int touchroute_set(struct touchroute_connection *c,
                   const struct touchroute_property_change *changes, uint32_t count) {
  int result = check_connected(c);
  if (result < 0)
    return result;
  if (count == 0)
    return fail(c, EINVAL, "there is nothing to set");
  long size = measure_changes(c, changes, count);
  if (size < 0)
    return (int)size;
  struct touchroute_set set = {.serial = take_serial(c), .change_count = count};
  unsigned char *rest;
  result = queue_open(c, &set, sizeof set, TOUCHROUTE_SET, (size_t)size, &rest);
  for (uint32_t i = 0; result == 0 && i < count; i++) {
    write_change(&changes[i], rest);
    rest += change_size(&changes[i]);
  }
  return finish_request(c, result < 0 ? result : (int)set.serial);
}

/* What is wrong with a step whatever the daemon knows of it; NULL where nothing is. */
PRIVATE const char *wrong_step(const struct touchroute_view_change *step) {
  size_t size = step->path ? strlen(step->path) : 0;
  int is_add = step->kind == TOUCHROUTE_STEP_ADD, has_frame = 0;
  if (step->kind < TOUCHROUTE_STEP_ADD || step->kind > TOUCHROUTE_STEP_CHANGE)
    return "there is no such kind of step";
  if (size > TOUCHROUTE_MAX_PATH || (size == 0 && step->kind != TOUCHROUTE_STEP_CHANGE))
    return "it needs a path, of 3072 bytes at most";
  if (step->controller && (!is_add || strlen(step->controller) > TOUCHROUTE_MAX_NAME))
    return "a controller is for one that is added, with a name of 255 bytes at most";
  if (step->kind == TOUCHROUTE_STEP_REMOVE)
    return step->property_count == 0 ? NULL : "one that is removed has no properties";
  if (step->property_count > UINT16_MAX || (step->property_count == 0 && !is_add))
    return "it needs a property, and not more than 65535";
  for (uint32_t i = 0; i < step->property_count; i++) {
    const struct touchroute_property_change *property = &step->properties[i];
    if (!is_property(property->property))
      return "there is no such property";
    const char *wrong = wrong_values(property->property, property->values);
    if (!wrong)
      wrong = wrong_parts(property);
    if (wrong)
      return wrong;
    if (property->point_count > UINT16_MAX || words_size(property) > UINT16_MAX)
      return "its words or points are too many for a request";
    has_frame |= property->property == TOUCHROUTE_PROPERTY_FRAME;
  }
  return is_add && !has_frame ? "one that is added needs a frame" : NULL;
}

static size_t value_size(const struct touchroute_property_change *property) {
  return sizeof(struct touchroute_property_value) +
         (size_t)value_count(property->property) * sizeof(double) + padded(words_size(property)) +
         (size_t)property->point_count * 2 * sizeof(double);
}

/* The bytes of a step in a request. */
PRIVATE size_t step_size(const struct touchroute_view_change *step) {
  size_t size = sizeof(struct touchroute_view_step) +
                padded(step->path ? strlen(step->path) : 0) +
                padded(step->controller ? strlen(step->controller) : 0);
  for (uint32_t i = 0; i < step->property_count; i++)
    size += value_size(&step->properties[i]);
  return size;
}

static unsigned char *write_value(const struct touchroute_property_change *from,
                                  unsigned char *to) {
  struct touchroute_property_value value = {.property = (uint16_t)from->property,
                                            .point_count = (uint16_t)from->point_count,
                                            .words_size = (uint16_t)words_size(from),
                                            .value_count = (uint16_t)value_count(from->property)};
  memcpy(to, &value, sizeof value);
  to += sizeof value;
  memcpy(to, from->values, value.value_count * sizeof(double));
  to += value.value_count * sizeof(double);
  if (value.words_size > 0)
    memcpy(to, from->words, value.words_size);
  to += padded(value.words_size);
  if (value.point_count > 0)
    memcpy(to, from->points, value.point_count * 2 * sizeof(double));
  return to + value.point_count * 2 * sizeof(double);
}

PRIVATE unsigned char *write_step(const struct touchroute_view_change *from, unsigned char *to) {
  const char *path = from->path ? from->path : "";
  const char *controller = from->controller ? from->controller : "";
  struct touchroute_view_step step = {.kind = (uint16_t)from->kind,
                                      .property_count = (uint16_t)from->property_count,
                                      .path_size = (uint16_t)strlen(path),
                                      .controller_size = (uint16_t)strlen(controller)};
  memcpy(to, &step, sizeof step);
  to += sizeof step;
  memcpy(to, path, step.path_size);
  to += padded(step.path_size);
  memcpy(to, controller, step.controller_size);
  to += padded(step.controller_size);
  for (uint32_t i = 0; i < from->property_count; i++)
    to = write_value(&from->properties[i], to);
  return to;
}
