#include "framebuffer.h"

#include <linux/fb.h>
#include <string.h>
#include <sys/ioctl.h>

int clinux_framebuffer_look(int fd, struct clinux_framebuffer *framebuffer) {
  struct fb_var_screeninfo variable;
  struct fb_fix_screeninfo fixed;
  memset(&variable, 0, sizeof variable);
  memset(&fixed, 0, sizeof fixed);
  if (ioctl(fd, FBIOGET_VSCREENINFO, &variable) < 0) return -1;
  if (ioctl(fd, FBIOGET_FSCREENINFO, &fixed) < 0) return -1;
  framebuffer->width = variable.xres;
  framebuffer->height = variable.yres;
  framebuffer->x_offset = variable.xoffset;
  framebuffer->y_offset = variable.yoffset;
  framebuffer->bits_per_pixel = variable.bits_per_pixel;
  framebuffer->line_length = fixed.line_length;
  framebuffer->size = fixed.smem_len;
  framebuffer->red = (struct clinux_bits){variable.red.offset, variable.red.length};
  framebuffer->green = (struct clinux_bits){variable.green.offset, variable.green.length};
  framebuffer->blue = (struct clinux_bits){variable.blue.offset, variable.blue.length};
  framebuffer->is_packed = fixed.type == FB_TYPE_PACKED_PIXELS && variable.grayscale <= 1;
  framebuffer->has_palette = fixed.visual == FB_VISUAL_PSEUDOCOLOR ||
                             fixed.visual == FB_VISUAL_STATIC_PSEUDOCOLOR;
  return 0;
}

static struct fb_cmap colors(uint32_t first, uint32_t count, uint16_t *red, uint16_t *green,
                             uint16_t *blue) {
  return (struct fb_cmap){.start = first, .len = count, .red = red, .green = green, .blue = blue};
}

int clinux_framebuffer_get_colors(int fd, uint32_t first, uint32_t count, uint16_t *red,
                                  uint16_t *green, uint16_t *blue) {
  struct fb_cmap map = colors(first, count, red, green, blue);
  return ioctl(fd, FBIOGETCMAP, &map);
}

int clinux_framebuffer_set_colors(int fd, uint32_t first, uint32_t count, uint16_t *red,
                                  uint16_t *green, uint16_t *blue) {
  struct fb_cmap map = colors(first, count, red, green, blue);
  return ioctl(fd, FBIOPUTCMAP, &map);
}

int clinux_framebuffer_unblank(int fd) { return ioctl(fd, FBIOBLANK, FB_BLANK_UNBLANK); }
