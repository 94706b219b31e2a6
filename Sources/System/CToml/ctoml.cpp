#include "ctoml.h"

#include <algorithm>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <string_view>

// toml++ 3.3 asserts on some texts that are not TOML, such as "[[[" and "a = 2020-01-01 0 ", and
// without assertions its behaviour is undefined there. Here they are refused, in every build.
#undef NDEBUG
#define TOML_ASSERT(expression)                                                                    \
  ((expression) ? void() : throw std::logic_error{toml_assertion})
static const char toml_assertion[] =
    "not valid TOML: a date or another value is broken; text is written in quotes";
#include <toml++/toml.h>

#define STRING_OF(text) #text
#define STRING(macro) STRING_OF(macro)

struct ctoml_document {
  toml::table root;
};

namespace {

const toml::node &node(const ctoml_value *value) {
  return *reinterpret_cast<const toml::node *>(value);
}

const ctoml_value *value(const toml::node *node) {
  return reinterpret_cast<const ctoml_value *>(node);
}

ctoml_position position(const toml::source_region &region) {
  return {region.begin.line, region.begin.column};
}

// What is refused before toml++ 3.3 sees it, strings and comments skipped:
// - long dotted keys: each part nests a table, which toml++ frees by recursion, so that 100,000 end
//   the process;
// - characters beyond ASCII, which TOML does not allow there and for some of which toml++'s
//   behaviour is undefined.
class scanner {
public:
  explicit scanner(std::string_view text) : text_{text} {
    // A byte order mark is allowed, and is no character of the text.
    if (text_.substr(0, 3) == "\xEF\xBB\xBF")
      text_.remove_prefix(3);
  }

  // Null where nothing is wrong; otherwise what, and `position` is where.
  const char *problem(ctoml_position &position) {
    unsigned dots = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        skip_string(c);
        continue;
      }
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
        continue;
      }
      if (std::string_view{"\n=,[]{}"}.find(c) != std::string_view::npos)
        dots = 0;
      if (c == '.' && ++dots == CTOML_MAX_KEY_PARTS) {
        position = here();
        return "a key has more parts than are allowed, " STRING(CTOML_MAX_KEY_PARTS);
      }
      if (static_cast<unsigned char>(c) >= 0x80) {
        position = here();
        return "characters beyond ASCII belong into strings and comments";
      }
      ++at_;
    }
    return nullptr;
  }

private:
  void skip_string(char quote) {
    const std::string_view triple = quote == '"' ? "\"\"\"" : "'''";
    const bool multiline = text_.substr(at_, 3) == triple;
    at_ += multiline ? 3 : 1;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\' && quote == '"')
        ++at_;
      else if (multiline ? text_.substr(at_, 3) == triple
                         : text_[at_] == quote || text_[at_] == '\n')
        break;
    }
    at_ = std::min(at_ + (multiline ? 3 : 1), text_.size());
  }

  ctoml_position here() const {
    const std::string_view before = text_.substr(0, at_);
    const std::string_view line = before.substr(before.rfind('\n') + 1); // npos + 1 is 0
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const auto columns =
        std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; });
    return {static_cast<uint32_t>(lines + 1), static_cast<uint32_t>(columns + 1)};
  }

  std::string_view text_;
  size_t at_ = 0;
};

void fail(ctoml_failure *failure, ctoml_position position, std::string_view message) {
  failure->position = position;
  std::snprintf(failure->message, sizeof failure->message, "%.*s",
                static_cast<int>(message.size()), message.data());
}

} // namespace

ctoml_document *ctoml_parse(const char *text, size_t size, ctoml_failure *failure) {
  ctoml_position where{0, 0};
  if (const char *what = scanner{{text, size}}.problem(where)) {
    fail(failure, where, what);
    return nullptr;
  }
  try {
    // Without a source path: every node would hold a counted reference to it.
    return new ctoml_document{toml::parse(std::string_view{text, size})};
  } catch (const toml::parse_error &error) {
    fail(failure, position(error.source()), error.description());
  } catch (const std::exception &error) {
    fail(failure, {0, 0}, error.what());
  }
  return nullptr;
}

void ctoml_free(ctoml_document *document) { delete document; }

const ctoml_value *ctoml_root(const ctoml_document *document) { return value(&document->root); }

enum ctoml_kind ctoml_kind_of(const ctoml_value *value) {
  switch (node(value).type()) {
  case toml::node_type::table: return CTOML_TABLE;
  case toml::node_type::array: return CTOML_ARRAY;
  case toml::node_type::string: return CTOML_STRING;
  case toml::node_type::integer: return CTOML_INTEGER;
  case toml::node_type::floating_point: return CTOML_FLOAT;
  case toml::node_type::boolean: return CTOML_BOOLEAN;
  default: return CTOML_DATE;
  }
}

ctoml_position ctoml_place(const ctoml_value *value) { return position(node(value).source()); }

size_t ctoml_count(const ctoml_value *value) {
  if (const toml::array *array = node(value).as_array())
    return array->size();
  if (const toml::table *table = node(value).as_table())
    return table->size();
  return 0;
}

const ctoml_value *ctoml_element(const ctoml_value *array, size_t index) {
  const toml::array *elements = node(array).as_array();
  return elements ? value(elements->get(index)) : nullptr;
}

const ctoml_value *ctoml_find(const ctoml_value *table, const char *key, size_t size) {
  const toml::table *entries = node(table).as_table();
  return entries ? value(entries->get(std::string_view{key, size})) : nullptr;
}

void ctoml_entries(const ctoml_value *table, ctoml_entry *entries) {
  const toml::table *source = node(table).as_table();
  if (!source)
    return;
  ctoml_entry *end = entries;
  for (const auto &[key, child] : *source)
    *end++ = {{key.data(), key.length()}, position(key.source()), value(&child)};
  std::sort(entries, end, [](const ctoml_entry &left, const ctoml_entry &right) {
    return left.position.line != right.position.line ? left.position.line < right.position.line
                                                     : left.position.column < right.position.column;
  });
}

ctoml_text ctoml_string(const ctoml_value *value) {
  const toml::value<std::string> *string = node(value).as_string();
  return string ? ctoml_text{string->get().data(), string->get().size()} : ctoml_text{nullptr, 0};
}

int64_t ctoml_integer(const ctoml_value *value) {
  const toml::value<int64_t> *integer = node(value).as_integer();
  return integer ? integer->get() : 0;
}

double ctoml_float(const ctoml_value *value) {
  const toml::value<double> *number = node(value).as_floating_point();
  return number ? number->get() : 0;
}

bool ctoml_boolean(const ctoml_value *value) {
  const toml::value<bool> *boolean = node(value).as_boolean();
  return boolean && boolean->get();
}
