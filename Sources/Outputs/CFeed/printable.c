/* Which characters steer a terminal, and how they are written out. */
#include "printable.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Unicode's general categories Cc, Cf, Cs, Zl and Zp. */
static const struct {
  uint32_t first, last;
} unprintable[] = {
    {0x0, 0x1f},         {0x7f, 0x9f},       {0xad, 0xad},       {0x600, 0x605},
    {0x61c, 0x61c},      {0x6dd, 0x6dd},     {0x70f, 0x70f},     {0x890, 0x891},
    {0x8e2, 0x8e2},      {0x180e, 0x180e},   {0x200b, 0x200f},   {0x2028, 0x202e},
    {0x2060, 0x2064},    {0x2066, 0x206f},   {0xd800, 0xdfff},   {0xfeff, 0xfeff},
    {0xfff9, 0xfffb},    {0x110bd, 0x110bd}, {0x110cd, 0x110cd}, {0x13430, 0x1343f},
    {0x1bca0, 0x1bca3},  {0x1d173, 0x1d17a}, {0xe0001, 0xe0001}, {0xe0020, 0xe007f},
};

static int is_printable(uint32_t character) {
  for (size_t i = 0; i < sizeof unprintable / sizeof *unprintable; i++)
    if (character >= unprintable[i].first && character <= unprintable[i].last)
      return 0;
  return 1;
}

/* U+200C and U+200D, which say whether the characters around them are joined. */
static int is_joiner(uint32_t character) { return character == 0x200c || character == 0x200d; }

/* How many bytes the character takes that begins there; 0 where it is none of UTF-8. */
static size_t read_character(const unsigned char *at, uint32_t *character) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  size_t count = *at < 0x80 ? 1 : *at < 0xc0 ? 0 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 : 4;
  if (count == 0 || *at > 0xf4)
    return 0;
  *character = count == 1 ? *at : *at & (0x7fu >> count);
  for (size_t i = 1; i < count; i++) {
    if ((at[i] & 0xc0) != 0x80)
      return 0;
    *character = *character << 6 | (at[i] & 0x3f);
  }
  int is_one = *character >= least[count] && *character <= 0x10ffff &&
               (*character < 0xd800 || *character > 0xdfff);
  return is_one ? count : 0;
}

/* The character as JSON escapes it: above U+FFFF by two surrogates. */
static void escape(char *word, size_t size, uint32_t character) {
  if (character <= 0xffff) {
    snprintf(word, size, "\\u%04x", character);
    return;
  }
  uint32_t rest = character - 0x10000;
  snprintf(word, size, "\\u%04x\\u%04x", 0xd800 | rest >> 10, 0xdc00 | (rest & 0x3ff));
}

const char *printable(char *buffer, size_t size, const char *text, enum printable_form form) {
  size_t used = 0;
  uint32_t before = 0;
  for (const unsigned char *at = (const unsigned char *)text; *at != '\0';) {
    uint32_t character = 0;
    char word[16];
    size_t count = read_character(at, &character);
    if (count == 0)
      memcpy(word, "\xef\xbf\xbd", 4);
    else if (!is_printable(character) &&
             !(is_joiner(character) && before > 0x7f && is_printable(before)))
      escape(word, sizeof word, character);
    else if (form == PRINTABLE_JSON && (character == '"' || character == '\\'))
      snprintf(word, sizeof word, "\\%c", (char)character);
    else
      snprintf(word, sizeof word, "%.*s", (int)count, (const char *)at);
    size_t length = strlen(word);
    if (used + length >= size)
      break;
    memcpy(buffer + used, word, length);
    used += length;
    at += count == 0 ? 1 : count;
    before = character;
  }
  buffer[used] = '\0';
  return buffer;
}
