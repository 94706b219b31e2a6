/* kept_views.c: the steps of change_views that the next daemon is asked for. A step that a later
   one makes void is dropped. */

#include "internal.h"

/* A view that later steps add or remove, or a property of one that they set. */
struct later {
  const char *path;
  uint32_t path_size, property;
  int is_moved; /* of one that is added: it is where it is to be */
};

#define ADDED UINT32_MAX         /* in place of a property: the view itself */
#define REMOVED (UINT32_MAX - 1) /* and all that lies in it */

/* What the later steps do, in an open hash table. */
struct later_table {
  struct later *entries;
  size_t mask;
};

/* The kept step at an offset. Its path follows it. */
static struct touchroute_view_step *kept_step(const struct kept_views *views, size_t at) {
  return (struct touchroute_view_step *)(void *)(views->steps + at + 8);
}

static size_t kept_size(const struct kept_views *views, size_t at) {
  uint64_t size;
  memcpy(&size, views->steps + at, sizeof size);
  return (size_t)size;
}

static const char *kept_path(const struct kept_views *views, size_t at) {
  return (const char *)views->steps + at + 8 + sizeof(struct touchroute_view_step);
}

static size_t property_size(const unsigned char *at) {
  struct touchroute_property_value value;
  memcpy(&value, at, sizeof value);
  return sizeof value + value.value_count * sizeof(double) + padded(value.words_size) +
         (size_t)value.point_count * 2 * sizeof(double);
}

static size_t head_size(const struct touchroute_view_step *step) {
  return sizeof *step + padded(step->path_size) + padded(step->controller_size);
}

/* The size of a step in a request. */
PRIVATE size_t step_size_at(const unsigned char *at) {
  struct touchroute_view_step step;
  memcpy(&step, at, sizeof step);
  size_t size = head_size(&step);
  for (uint16_t i = 0; i < step.property_count; i++)
    size += property_size(at + size);
  return size;
}

/* Whether a path names a view or something in it: after the view's path comes nothing, / or @. */
PRIVATE int is_in(const char *path, size_t size, const char *view, size_t view_size) {
  return size >= view_size && memcmp(path, view, view_size) == 0 &&
         (size == view_size || path[view_size] == '/' || path[view_size] == '@');
}

/* Whether a kept step adds the view of that path, or a view around it. */
PRIVATE int adds_kept(const struct kept_views *views, const char *path, size_t size) {
  for (size_t at = 0; at < views->used; at += kept_size(views, at)) {
    const struct touchroute_view_step *step = kept_step(views, at);
    if (step->kind == TOUCHROUTE_STEP_ADD &&
        is_in(path, size, kept_path(views, at), step->path_size))
      return 1;
  }
  return 0;
}

/* Makes room for so many bytes of steps in all. False: there is no memory. */
PRIVATE int make_kept_room(struct kept_views *views, size_t size) {
  if (size <= views->capacity)
    return 1;
  unsigned char *steps = realloc(views->steps, size * 2);
  if (!steps)
    return 0;
  views->steps = steps;
  views->capacity = size * 2;
  return 1;
}

/*
 * Keeps a step that was done. is_there: whether the daemon has it still; otherwise it is owed.
 * make_kept_room has made room for it.
 */
PRIVATE void keep_step(struct kept_views *views, const unsigned char *step, size_t step_size,
                       int is_there) {
  uint64_t size = 8 + step_size;
  size_t at = is_there ? views->next : views->used;
  unsigned char *to = views->steps + at;
  memmove(to + size, to, views->used - at);
  memcpy(to, &size, sizeof size);
  memcpy(to + 8, step, step_size);
  views->used += (size_t)size;
  if (!is_there)
    return;
  views->next += (size_t)size;
  views->asked += (size_t)size;
}

static uint32_t hash_byte(uint32_t hash, char byte) {
  return (hash ^ (unsigned char)byte) * UINT32_C(16777619); /* FNV-1a */
}

static uint32_t hash_path(const char *path, size_t size) {
  uint32_t hash = UINT32_C(2166136261);
  for (size_t i = 0; i < size; i++)
    hash = hash_byte(hash, path[i]);
  return hash;
}

/* The entry, or the free place where it would be. */
static struct later *find_later(const struct later_table *table, uint32_t hash, const char *path,
                                size_t size, uint32_t property) {
  hash += property * UINT32_C(2654435761);
  for (size_t i = (hash ^ hash >> 15) & table->mask;; i = (i + 1) & table->mask) {
    struct later *entry = &table->entries[i];
    if (!entry->path || (entry->property == property && entry->path_size == size &&
                         memcmp(entry->path, path, size) == 0))
      return entry;
  }
}

static int is_later(const struct later_table *table, uint32_t hash, const char *path, size_t size,
                    uint32_t property) {
  return find_later(table, hash, path, size, property)->path != NULL;
}

static void add_later(const struct later_table *table, uint32_t hash, const char *path,
                      size_t size, uint32_t property) {
  *find_later(table, hash, path, size, property) =
      (struct later){.path = path, .path_size = (uint32_t)size, .property = property};
}

/* Whether later steps remove a view, or a view around it. */
static int is_void(const struct later_table *table, const char *path, size_t size) {
  uint32_t hash = hash_path(path, 0);
  for (size_t i = 0; i < size; i++) {
    if (path[i] == '/' && is_later(table, hash, path, i, REMOVED))
      return 1;
    hash = hash_byte(hash, path[i]);
  }
  return size > 0 && is_later(table, hash, path, size, REMOVED);
}

/*
 * Drops the properties of a change that later steps set or reset, and those before a configured of
 * its own. Returns the size of what is left.
 */
static size_t tidy_change(const struct later_table *table, struct touchroute_view_step *step,
                          const char *path) {
  uint32_t hash = hash_path(path, step->path_size);
  unsigned char *start = (unsigned char *)step + head_size(step), *from = start, *to = start;
  int ends_all = is_later(table, hash, path, step->path_size, TOUCHROUTE_PROPERTY_CONFIGURED);
  uint16_t left = 0;
  for (uint16_t i = 0; i < step->property_count; i++) {
    size_t size = property_size(from);
    struct touchroute_property_value value;
    memcpy(&value, from, sizeof value);
    if (value.property == TOUCHROUTE_PROPERTY_CONFIGURED) {
      to = start;
      left = 0;
      add_later(table, hash, path, step->path_size, TOUCHROUTE_PROPERTY_CONFIGURED);
    } else if (!ends_all && !is_later(table, hash, path, step->path_size, value.property)) {
      memmove(to, from, size);
      to += size;
      left++;
    }
    from += size;
  }
  step->property_count = left;
  for (from = start; left > 0; left--, from += property_size(from)) {
    struct touchroute_property_value value;
    memcpy(&value, from, sizeof value);
    add_later(table, hash, path, step->path_size, value.property);
  }
  return step->property_count > 0 ? (size_t)(to - (unsigned char *)step) : 0;
}

/* Drops of a step what later steps make void. Returns its size with the 8 bytes before it, or 0. */
static size_t tidy_step(const struct later_table *table, struct kept_views *views, size_t at) {
  struct touchroute_view_step *step = kept_step(views, at);
  const char *path = kept_path(views, at);
  uint32_t hash = hash_path(path, step->path_size);
  if (is_void(table, path, step->path_size))
    return 0;
  if (step->kind == TOUCHROUTE_STEP_REMOVE) {
    add_later(table, hash, path, step->path_size, REMOVED);
    return 0;
  }
  if (is_later(table, hash, path, step->path_size, ADDED))
    return 0; /* added once more: a reload has dropped it */
  if (step->kind == TOUCHROUTE_STEP_CHANGE) {
    size_t size = tidy_change(table, step, path);
    return size > 0 ? size + 8 : 0;
  }
  add_later(table, hash, path, step->path_size, ADDED);
  return kept_size(views, at);
}

/* The entry of the view that has to be added before a step: the superview of an added view, or the
   view that a change is about. NULL: no kept step adds it. */
static struct later *find_needed(const struct later_table *table, const struct kept_views *views,
                                 size_t at) {
  const struct touchroute_view_step *step = kept_step(views, at);
  const char *path = kept_path(views, at);
  size_t size = step->path_size;
  if (step->kind == TOUCHROUTE_STEP_ADD)
    while (size > 0 && path[--size] != '/') {
    }
  struct later *entry = find_later(table, hash_path(path, size), path, size, ADDED);
  return size > 0 && entry->path ? entry : NULL;
}

/*
 * Moves the remaining steps into other memory, in their order, except that a superview comes before
 * its subviews: a batch may add it after them. Returns the bytes used.
 */
static size_t move_steps(const struct later_table *table, const struct kept_views *views,
                         size_t (*places)[2], size_t count, unsigned char *to) {
  size_t left = 0, before;
  do {
    before = left;
    for (size_t i = 0; i < count; i++) {
      uint64_t size = places[i][1];
      const struct later *needed = size ? find_needed(table, views, places[i][0]) : NULL;
      if (size == 0 || (needed && !needed->is_moved))
        continue;
      const struct touchroute_view_step *step = kept_step(views, places[i][0]);
      const char *path = kept_path(views, places[i][0]);
      if (step->kind == TOUCHROUTE_STEP_ADD)
        find_later(table, hash_path(path, step->path_size), path, step->path_size, ADDED)
            ->is_moved = 1;
      memcpy(to + left, &size, sizeof size);
      memcpy(to + left + 8, step, (size_t)size - 8);
      left += (size_t)size;
      places[i][1] = 0;
    }
  } while (left > before);
  return left;
}

/* Allocates an array for the steps' offsets and sizes, and a table for what they do. */
static int measure_kept(const struct kept_views *views, size_t (**places)[2], size_t *count,
                        struct later_table *table) {
  size_t entries = 0;
  *count = 0;
  for (size_t at = 0; at < views->used; at += kept_size(views, at)) {
    entries += 1u + kept_step(views, at)->property_count;
    (*count)++;
  }
  size_t capacity = 16;
  while (capacity < entries * 2)
    capacity *= 2;
  *places = calloc(*count + 1, sizeof **places);
  table->entries = calloc(capacity, sizeof *table->entries);
  table->mask = capacity - 1;
  if (*places && table->entries)
    return 1;
  free(*places);
  free(table->entries);
  return 0;
}

/* Drops void steps. It does so only if the daemon has all of them, or none. */
PRIVATE void tidy_kept(struct kept_views *views) {
  size_t(*places)[2], count;
  struct later_table table;
  int has_all = views->next == views->used;
  if (views->used == 0 || (!has_all && views->asked > 0))
    return;
  unsigned char *steps = malloc(views->capacity);
  if (!steps || !measure_kept(views, &places, &count, &table)) {
    free(steps);
    return; /* without memory they stay, and are made again in their order */
  }
  count = 0;
  for (size_t at = 0; at < views->used; at += kept_size(views, at))
    places[count++][0] = at;
  for (size_t i = count; i-- > 0;)
    places[i][1] = tidy_step(&table, views, places[i][0]);
  size_t left = move_steps(&table, views, places, count, steps);
  free(places);
  free(table.entries);
  free(views->steps);
  views->steps = steps;
  views->used = views->tidied = left;
  views->next = views->asked = has_all ? left : 0;
}

/* The daemon has forgotten all views: all steps are owed again. */
PRIVATE void owe_kept(struct kept_views *views) {
  views->next = views->asked = views->most = 0;
  views->refused = 0;
  views->serial = 0;
  tidy_kept(views);
}

/* The next steps to ask for: as many as fit, or most, if a request was refused before. */
PRIVATE struct kept_page next_page(const struct kept_views *views, size_t room) {
  struct kept_page page = {.end = views->next};
  while (page.end < views->used && (views->most == 0 || page.count < views->most)) {
    size_t step = kept_size(views, page.end) - 8;
    if (page.size + step > room)
      break;
    page.size += step;
    page.end += step + 8;
    page.count++;
  }
  return page;
}

/* Writes the page into the request with that serial. */
PRIVATE void write_page(struct kept_views *views, struct kept_page page, uint32_t serial,
                        unsigned char *to) {
  for (size_t at = views->next; at < page.end; at += kept_size(views, at)) {
    memcpy(to, views->steps + at + 8, kept_size(views, at) - 8);
    to += kept_size(views, at) - 8;
  }
  views->asked = page.end;
  views->serial = serial;
}

/* Drops the refused step, which was asked for alone. If it adds a view, drops all in that, too. */
static void drop_refused(struct kept_views *views) {
  size_t first = views->next, left = first, path_size = kept_step(views, first)->path_size;
  int is_add = kept_step(views, first)->kind == TOUCHROUTE_STEP_ADD;
  char path[TOUCHROUTE_MAX_PATH];
  memcpy(path, kept_path(views, first), path_size);
  size_t size = kept_size(views, first);
  for (size_t at = first + size; at < views->used; at += size) {
    size = kept_size(views, at);
    if (is_add && is_in(kept_path(views, at), kept_step(views, at)->path_size, path, path_size))
      continue;
    memmove(views->steps + left, views->steps + at, size);
    left += size;
  }
  views->used = left;
}

/*
 * Takes the answer to a page. A refused page is asked for again in halves, until the bad step is
 * alone. Then this returns 1: the program hears of the error. After REFUSED of these, the rest is
 * given up. untried: how many steps that were, or -1.
 */
PRIVATE int take_page_answer(struct kept_views *views, int is_refused, long *untried) {
  size_t count = 0;
  for (size_t at = views->next; at < views->asked; at += kept_size(views, at))
    count++;
  *untried = -1;
  views->serial = 0;
  if (!is_refused) {
    views->next = views->asked;
    views->most *= 2; /* some day 0 again: no limit */
    return 0;
  }
  views->asked = views->next;
  views->most = count > 1 ? count / 2 : 1;
  if (count > 1)
    return 0;
  drop_refused(views);
  if (++views->refused < REFUSED)
    return 1;
  *untried = 0;
  for (size_t at = views->next; at < views->used; at += kept_size(views, at))
    ++*untried;
  views->used = views->next;
  return 1;
}
