/* SPDX-License-Identifier: MIT */
#include "picture.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool picture_write_png(const sample_picture *picture, const char *path, char *message,
                       size_t message_size)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = picture->width,
                       .height = picture->height,
                       .format = PNG_FORMAT_RGB};

    if (png_image_write_to_file(&image, path, 0, picture->rgb, 0, NULL))
        return true;
    snprintf(message, message_size, "%s: %s", path, image.message);
    return false;
}

/* A character cell shows two of these, one above the other. */
typedef struct cell {
    uint8_t rgb[3];
} cell;

/* The mean colour of the part of the picture under cell (x, y) of columns x rows. */
static cell shrink(const sample_picture *picture, uint32_t x, uint32_t y, uint32_t columns,
                   uint32_t rows)
{
    uint32_t x0 = x * picture->width / columns, x1 = (x + 1) * picture->width / columns;
    uint32_t y0 = y * picture->height / rows, y1 = (y + 1) * picture->height / rows;
    uint32_t sum[3] = {0}, count = (x1 - x0) * (y1 - y0);
    cell mean;

    for (uint32_t py = y0; py < y1; py++) {
        for (uint32_t px = x0; px < x1; px++) {
            const uint8_t *rgb = picture->rgb + 3 * ((size_t)py * picture->width + px);

            for (int c = 0; c < 3; c++)
                sum[c] += rgb[c];
        }
    }
    for (int c = 0; c < 3; c++)
        mean.rgb[c] = (uint8_t)(sum[c] / count);
    return mean;
}

/* Sets the foreground (`layer` 38) or background (48) colour. Terminals without 24-bit colour
 * have xterm's cube of 6 x 6 x 6 colours from number 16 on. */
static void set_colour(FILE *out, int layer, cell colour, bool deep)
{
    const uint8_t *rgb = colour.rgb;
    int level[3];

    if (deep) {
        fprintf(out, "\033[%d;2;%d;%d;%dm", layer, rgb[0], rgb[1], rgb[2]);
        return;
    }
    for (int c = 0; c < 3; c++)
        level[c] = (rgb[c] * 5 + 127) / 255;
    fprintf(out, "\033[%d;5;%dm", layer, 16 + 36 * level[0] + 6 * level[1] + level[2]);
}

/* As many columns as the terminal has, but no more than keep the picture's shape on one screen
 * and no more than it has pixels. Cells of half a character are about square. */
static uint32_t fit_columns(const sample_picture *picture, FILE *out)
{
    uint32_t columns = 80, lines = 24;
    struct winsize size;

    if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 2) {
        columns = size.ws_col;
        lines = size.ws_row;
    }
    if (columns > 2 * (lines - 2) * picture->width / picture->height)
        columns = 2 * (lines - 2) * picture->width / picture->height;
    return columns < picture->width ? columns : picture->width;
}

void picture_show(const sample_picture *picture, FILE *out)
{
    const char *terminal = getenv("TERM"), *depth = getenv("COLORTERM");
    bool deep = depth && (strcmp(depth, "truecolor") == 0 || strcmp(depth, "24bit") == 0);
    uint32_t columns, lines;

    if (!isatty(fileno(out)) || getenv("NO_COLOR") || !terminal ||
        strcmp(terminal, "dumb") == 0)
        return;
    columns = fit_columns(picture, out);
    lines = columns * picture->height / picture->width / 2;
    for (uint32_t y = 0; y < lines; y++) {
        for (uint32_t x = 0; x < columns; x++) {
            set_colour(out, 38, shrink(picture, x, 2 * y, columns, 2 * lines), deep);
            set_colour(out, 48, shrink(picture, x, 2 * y + 1, columns, 2 * lines), deep);
            fputs("\xe2\x96\x80", out); /* U+2580, upper half block */
        }
        fputs("\033[0m\n", out);
    }
}
