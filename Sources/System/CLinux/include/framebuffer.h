/* The framebuffer console, as linux/fb.h has it. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Where a colour's part lies in a pixel, in bits. */
struct clinux_bits {
  uint32_t offset, length;
};

struct clinux_framebuffer {
  uint32_t width, height;       /* what is shown, in pixels */
  uint32_t x_offset, y_offset;  /* where that begins in memory, in pixels */
  uint32_t bits_per_pixel;
  uint32_t line_length;         /* bytes from one row to the next */
  uint32_t size;                /* bytes of its memory */
  struct clinux_bits red, green, blue;
  uint8_t is_packed;            /* pixel after pixel, without planes or another format's code */
  uint8_t has_palette;          /* pixels are numbers of colours */
};

/* Asks a framebuffer's node. 0, or -1 with errno set; ENOTTY: it is none. */
int clinux_framebuffer_look(int fd, struct clinux_framebuffer *framebuffer);

/*
 * Gets or sets the colours of `count` numbers from `first` on, of 16 bits a part. 0, or -1 with
 * errno set.
 */
int clinux_framebuffer_get_colors(int fd, uint32_t first, uint32_t count, uint16_t *red,
                                  uint16_t *green, uint16_t *blue);
int clinux_framebuffer_set_colors(int fd, uint32_t first, uint32_t count, uint16_t *red,
                                  uint16_t *green, uint16_t *blue);

/* Lights the panel, where it was blanked (FBIOBLANK). 0, or -1 with errno set. */
int clinux_framebuffer_unblank(int fd);
