/* SPDX-License-Identifier: MIT
 *
 * Images and samplers, as the host sees them. */
#include <fenv.h>

#include "driver.h"

static const cl_image_format rgba8 = {CL_RGBA, CL_UNORM_INT8};

static cl_mem make(const driver *d, cl_mem_flags flags, const cl_image_format *format,
                   const cl_image_desc *desc, void *host)
{
    cl_int status;
    cl_mem image = clCreateImage(d->context, flags, format, desc, host, &status);

    GOOD(status);
    return image;
}

static void release(cl_mem memory)
{
    GOOD(clReleaseMemObject(memory));
}

/* ---- formats ---------------------------------------------------------------------------- */

static bool has_format(const driver *d, cl_mem_flags flags, cl_mem_object_type type,
                       cl_channel_order order, cl_channel_type channel)
{
    cl_image_format formats[256];
    cl_uint count;

    GOOD(clGetSupportedImageFormats(d->context, flags, type, 256, formats, &count));
    assert_true(count <= 256);
    for (cl_uint i = 0; i < count; i++)
        if (formats[i].image_channel_order == order &&
            formats[i].image_channel_data_type == channel)
            return true;
    return false;
}

/* Source: OpenCL API 3.0, minimum list of supported image formats, full profile. */
static void mandatory_formats_are_there(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    static const cl_channel_type types[] = {
        CL_UNORM_INT8,     CL_UNORM_INT16,    CL_SNORM_INT8,   CL_SNORM_INT16,
        CL_SIGNED_INT8,    CL_SIGNED_INT16,   CL_SIGNED_INT32, CL_UNSIGNED_INT8,
        CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT,   CL_FLOAT};
    static const cl_channel_order orders[] = {CL_R, CL_RG, CL_RGBA};
    static const cl_mem_flags uses[] = {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE};
    cl_uint count;

    for (cl_mem_object_type type = CL_MEM_OBJECT_IMAGE2D; type <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
         type++)
        for (int use = 0; use < 3; use++) {
            for (size_t i = 0; i < sizeof types / sizeof *types; i++)
                for (size_t j = 0; j < sizeof orders / sizeof *orders; j++)
                    assert_true(has_format(&d, uses[use], type, orders[j], types[i]));
            assert_true(has_format(&d, uses[use], type, CL_BGRA, CL_UNORM_INT8));
        }
    static const cl_channel_type both[] = {
        CL_UNORM_INT8,     CL_SIGNED_INT8,   CL_SIGNED_INT16,
        CL_SIGNED_INT32,   CL_UNSIGNED_INT8, CL_UNSIGNED_INT16,
        CL_UNSIGNED_INT32, CL_HALF_FLOAT,    CL_FLOAT};
    for (size_t i = 0; i < sizeof both / sizeof *both; i++) {
        assert_true(
            has_format(&d, CL_MEM_KERNEL_READ_AND_WRITE, CL_MEM_OBJECT_IMAGE2D, CL_R, both[i]));
        assert_true(has_format(&d, CL_MEM_KERNEL_READ_AND_WRITE, CL_MEM_OBJECT_IMAGE2D, CL_RGBA,
                               both[i]));
    }
    assert_int_equal(
        clGetSupportedImageFormats(d.context, 0, CL_MEM_OBJECT_BUFFER, 0, NULL, &count),
        CL_INVALID_VALUE);
    driver_close(&d);
    d = driver_open("PVC", 0);
    GOOD(clGetSupportedImageFormats(d.context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, 0, NULL,
                                    &count));
    assert_int_equal(count, 0);
    driver_close(&d);
}

/* ---- making ----------------------------------------------------------------------------- */

static cl_int image_status(const driver *d, cl_mem_flags flags, const cl_image_format *format,
                           const cl_image_desc *desc, void *host)
{
    cl_int status = 1;
    cl_mem image = clCreateImage(d->context, flags, format, desc, host, &status);

    assert_true((image != NULL) == (status == CL_SUCCESS));
    if (image)
        release(image);
    return status;
}

static void images_check_what_they_get(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0), e = driver_open("PVC", 0);
    static uint8_t host[4096];
    const cl_image_format none = {CL_RGBA, CL_UNORM_SHORT_565},
                          packed = {CL_RGB, CL_UNORM_SHORT_565};
    const cl_image_format unknown = {0x1, CL_FLOAT};
    cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    const cl_image_desc good = desc;

    GOOD(image_status(&d, 0, &rgba8, &good, NULL));
    assert_int_equal(image_status(&e, 0, &rgba8, &good, NULL), CL_INVALID_OPERATION);
    assert_int_equal(image_status(&d, 0, NULL, &good, NULL),
                     CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    assert_int_equal(image_status(&d, 0, &none, &good, NULL),
                     CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    assert_int_equal(image_status(&d, 0, &unknown, &good, NULL),
                     CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    assert_int_equal(image_status(&d, 0, &packed, &good, NULL), CL_IMAGE_FORMAT_NOT_SUPPORTED);
    assert_int_equal(image_status(&d, 0, &rgba8, NULL, NULL), CL_INVALID_IMAGE_DESCRIPTOR);
    assert_int_equal(image_status(&d, 0, &rgba8, &good, host), CL_INVALID_HOST_PTR);
    assert_int_equal(image_status(&d, CL_MEM_COPY_HOST_PTR, &rgba8, &good, NULL),
                     CL_INVALID_HOST_PTR);
    assert_int_equal(
        image_status(&d, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, &rgba8, &good, NULL),
        CL_INVALID_VALUE);
#define WITH(field, value, flags, pointer, expected)                                           \
    do {                                                                                       \
        desc = good;                                                                           \
        desc.field = value;                                                                    \
        assert_int_equal(image_status(&d, flags, &rgba8, &desc, pointer), expected);           \
    } while (0)
    WITH(image_width, 0, 0, NULL, CL_INVALID_IMAGE_DESCRIPTOR);
    WITH(image_height, 0, 0, NULL, CL_INVALID_IMAGE_DESCRIPTOR);
    WITH(image_width, 1 << 20, 0, NULL, CL_INVALID_IMAGE_SIZE);
    WITH(image_type, CL_MEM_OBJECT_BUFFER, 0, NULL, CL_INVALID_IMAGE_DESCRIPTOR);
    WITH(image_type, CL_MEM_OBJECT_IMAGE3D, 0, NULL, CL_INVALID_IMAGE_DESCRIPTOR);
    WITH(image_type, CL_MEM_OBJECT_IMAGE2D_ARRAY, 0, NULL, CL_INVALID_IMAGE_DESCRIPTOR);
    WITH(image_type, CL_MEM_OBJECT_IMAGE1D_BUFFER, 0, NULL, CL_INVALID_IMAGE_DESCRIPTOR);
    WITH(num_mip_levels, 1, 0, NULL, CL_INVALID_IMAGE_DESCRIPTOR);
    WITH(num_samples, 2, 0, NULL, CL_INVALID_IMAGE_DESCRIPTOR);
    WITH(image_row_pitch, 16, 0, NULL, CL_INVALID_IMAGE_DESCRIPTOR);
    WITH(image_row_pitch, 12, CL_MEM_COPY_HOST_PTR, host, CL_INVALID_IMAGE_DESCRIPTOR);
    WITH(image_row_pitch, 18, CL_MEM_COPY_HOST_PTR, host, CL_INVALID_IMAGE_DESCRIPTOR);
    WITH(image_row_pitch, 20, CL_MEM_COPY_HOST_PTR, host, CL_SUCCESS);
    driver_close(&d);
    driver_close(&e);
}

static size_t info(cl_mem image, cl_image_info name)
{
    size_t value = 0;

    GOOD(clGetImageInfo(image, name, sizeof value, &value, NULL));
    return value;
}

static void images_answer(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    static uint8_t host[4096];
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
                          .image_width = 5,
                          .image_height = 3,
                          .image_array_size = 4,
                          .image_row_pitch = 24,
                          .image_slice_pitch = 96};
    cl_mem image = make(&d, CL_MEM_USE_HOST_PTR, &rgba8, &desc, host);
    cl_image_format format;
    cl_uint number;

    GOOD(clGetImageInfo(image, CL_IMAGE_FORMAT, sizeof format, &format, NULL));
    assert_memory_equal(&format, &rgba8, sizeof format);
    assert_int_equal(info(image, CL_IMAGE_ELEMENT_SIZE), 4);
    assert_int_equal(info(image, CL_IMAGE_WIDTH), 5);
    assert_int_equal(info(image, CL_IMAGE_HEIGHT), 3);
    assert_int_equal(info(image, CL_IMAGE_DEPTH), 0);
    assert_int_equal(info(image, CL_IMAGE_ARRAY_SIZE), 4);
    assert_int_equal(info(image, CL_IMAGE_ROW_PITCH), 24);
    assert_int_equal(info(image, CL_IMAGE_SLICE_PITCH), 96);
    assert_int_equal(info(image, CL_IMAGE_BUFFER), 0);
    GOOD(clGetImageInfo(image, CL_IMAGE_NUM_SAMPLES, sizeof number, &number, NULL));
    assert_int_equal(number, 0);
    assert_int_equal(clGetImageInfo(image, 0x1, 8, &format, NULL), CL_INVALID_VALUE);
    release(image);
    cl_int status;
    image = clCreateImage2D(d.context, 0, &rgba8, 7, 5, 0, NULL, &status);
    GOOD(status);
    assert_int_equal(info(image, CL_IMAGE_ROW_PITCH), 28);
    assert_int_equal(info(image, CL_IMAGE_SLICE_PITCH), 0);
    release(image);
    image = clCreateImage3D(d.context, 0, &rgba8, 7, 5, 3, 0, 0, NULL, &status);
    GOOD(status);
    assert_int_equal(info(image, CL_IMAGE_DEPTH), 3);
    release(image);
    assert_null(clCreateImage2D(d.context, 0, &rgba8, 0, 5, 0, NULL, &status));
    assert_int_equal(status, CL_INVALID_IMAGE_SIZE);
    cl_mem buffer = clCreateBuffer(d.context, 0, 64, NULL, &status);
    assert_int_equal(clGetImageInfo(buffer, CL_IMAGE_WIDTH, 8, &format, NULL),
                     CL_INVALID_MEM_OBJECT);
    release(buffer);
    driver_close(&d);
}

/* ---- contents --------------------------------------------------------------------------- */

typedef struct shape {
    cl_image_desc desc;
    size_t size[3]; /* as regions count */
} shape;

static const shape shapes[] = {
    {{.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 11}, {11, 1, 1}},
    {{.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 11, .image_height = 6}, {11, 6, 1}},
    {{.image_type = CL_MEM_OBJECT_IMAGE3D,
      .image_width = 11,
      .image_height = 6,
      .image_depth = 4},
     {11, 6, 4}},
    {{.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .image_width = 11, .image_array_size = 6},
     {11, 6, 1}},
    {{.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
      .image_width = 11,
      .image_height = 6,
      .image_array_size = 4},
     {11, 6, 4}},
};

enum { NUM_SHAPES = sizeof shapes / sizeof *shapes, MOST = 11 * 6 * 4 };

static void fill_texels(uint32_t *texels)
{
    for (uint32_t i = 0; i < MOST; i++)
        texels[i] = i * 0x01000193u + 5;
}

/* Written as a whole, read in parts with pitches, copied and filled. */
static void texels_are_moved(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    const cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
    const cl_uint colour[4] = {0xdeadbeef, 1, 2, 3};
    static uint32_t in[MOST], out[4 * MOST], model[MOST];

    fill_texels(in);
    for (int i = 0; i < NUM_SHAPES; i++) {
        const size_t *n = shapes[i].size, zero[3] = {0};
        size_t from[3], size[3], at[3];
        cl_mem a = make(&d, 0, &format, &shapes[i].desc, NULL);
        cl_mem b = make(&d, CL_MEM_COPY_HOST_PTR, &format, &shapes[i].desc, in);
        memcpy(model, in, sizeof in);
        GOOD(clEnqueueWriteImage(d.queue, a, CL_FALSE, zero, n, 0, 0, in, 0, NULL, NULL));
        for (int j = 0; j < 3; j++) {
            from[j] = n[j] > 2 ? 1 : 0;
            size[j] = n[j] > 2 ? n[j] - 2 : 1;
            at[j] = n[j] > 2 ? 2 : 0;
        }
#define EACH                                                                                   \
    for (size_t z = 0; z < size[2]; z++)                                                       \
        for (size_t y = 0; y < size[1]; y++)                                                   \
            for (size_t x = 0; x < size[0]; x++)
#define TEXEL(origin) ((origin)[0] + x + n[0] * ((origin)[1] + y + n[1] * ((origin)[2] + z)))
        GOOD(clEnqueueCopyImage(d.queue, a, b, from, at, size, 0, NULL, NULL));
        EACH model[TEXEL(at)] = in[TEXEL(from)];
        size[0] = 3;
        GOOD(clEnqueueFillImage(d.queue, b, colour, from, size, 0, NULL, NULL));
        EACH model[TEXEL(from)] = 0xdeadbeef;
        GOOD(clEnqueueReadImage(d.queue, b, CL_TRUE, zero, n, 0, 0, out, 0, NULL, NULL));
        assert_memory_equal(out, model, n[0] * n[1] * n[2] * 4);
        /* With pitches; those of a one-dimensional array are from layer to layer. */
        bool is_lines = shapes[i].desc.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
        memset(out, 0, sizeof out);
        GOOD(clEnqueueReadImage(d.queue, a, CL_TRUE, from, size, 40, is_lines ? 48 : 480, out,
                                0, NULL, NULL));
        EACH assert_int_equal(out[x + (is_lines ? 12 : 10) * y + 120 * z], in[TEXEL(from)]);
#undef TEXEL
#undef EACH
        release(a);
        release(b);
    }
    driver_close(&d);
}

static void texels_and_buffers(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    const cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
    static uint32_t in[MOST], out[MOST];
    cl_int status;
    cl_mem buffer = clCreateBuffer(d.context, 0, sizeof in + 16, NULL, &status);

    GOOD(status);
    fill_texels(in);
    for (int i = 0; i < NUM_SHAPES; i++) {
        const size_t *n = shapes[i].size, zero[3] = {0};
        cl_mem a = make(&d, 0, &format, &shapes[i].desc, NULL);
        size_t bytes = n[0] * n[1] * n[2] * 4;
        GOOD(clEnqueueWriteBuffer(d.queue, buffer, CL_TRUE, 8, bytes, in, 0, NULL, NULL));
        GOOD(clEnqueueCopyBufferToImage(d.queue, buffer, a, 8, zero, n, 0, NULL, NULL));
        GOOD(clEnqueueCopyImageToBuffer(d.queue, a, buffer, zero, n, 16, 0, NULL, NULL));
        GOOD(clEnqueueReadBuffer(d.queue, buffer, CL_TRUE, 16, bytes, out, 0, NULL, NULL));
        assert_memory_equal(out, in, bytes);
        assert_int_equal(clEnqueueCopyImageToBuffer(d.queue, a, buffer, zero, n,
                                                    sizeof in + 16 - bytes + 4, 0, NULL, NULL),
                         CL_INVALID_VALUE);
        assert_int_equal(
            clEnqueueCopyBufferToImage(d.queue, a, buffer, 0, zero, n, 0, NULL, NULL),
            CL_INVALID_MEM_OBJECT);
        release(a);
    }
    release(buffer);
    driver_close(&d);
}

static void moves_are_checked(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    const cl_image_format other = {CL_R, CL_UNSIGNED_INT32};
    cl_mem a = make(&d, 0, &rgba8, &shapes[1].desc, NULL);
    cl_mem b = make(&d, 0, &other, &shapes[1].desc, NULL);
    cl_mem hidden = make(&d, CL_MEM_HOST_NO_ACCESS, &rgba8, &shapes[1].desc, NULL);
    const size_t zero[3] = {0}, all[] = {11, 6, 1}, deep[] = {11, 6, 2}, empty[] = {11, 0, 1};
    const size_t one[] = {1, 0, 0}, part[] = {4, 4, 1}, apart[] = {4, 0, 0};
    static uint8_t host[4096];

#define READ(image, from, size, row, to)                                                       \
    clEnqueueReadImage(d.queue, image, CL_TRUE, from, size, row, 0, to, 0, NULL, NULL)
    GOOD(READ(a, zero, all, 44, host));
    assert_int_equal(READ(a, zero, deep, 0, host), CL_INVALID_VALUE);
    assert_int_equal(READ(a, zero, empty, 0, host), CL_INVALID_VALUE);
    assert_int_equal(READ(a, one, all, 0, host), CL_INVALID_VALUE);
    assert_int_equal(READ(a, zero, all, 43, host), CL_INVALID_VALUE);
    assert_int_equal(READ(a, zero, all, 0, NULL), CL_INVALID_VALUE);
    assert_int_equal(READ(a, NULL, all, 0, host), CL_INVALID_VALUE);
    assert_int_equal(READ(hidden, zero, all, 0, host), CL_INVALID_OPERATION);
    assert_int_equal(
        clEnqueueWriteImage(d.queue, hidden, CL_TRUE, zero, all, 0, 0, host, 0, NULL, NULL),
        CL_INVALID_OPERATION);
    assert_int_equal(clEnqueueCopyImage(d.queue, a, b, zero, zero, all, 0, NULL, NULL),
                     CL_IMAGE_FORMAT_MISMATCH);
    assert_int_equal(clEnqueueCopyImage(d.queue, a, a, zero, one, part, 0, NULL, NULL),
                     CL_MEM_COPY_OVERLAP);
    GOOD(clEnqueueCopyImage(d.queue, a, a, zero, apart, part, 0, NULL, NULL));
    assert_int_equal(clEnqueueFillImage(d.queue, a, NULL, zero, all, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    GOOD(clFinish(d.queue));
    release(a);
    release(b);
    release(hidden);
    driver_close(&d);
}

/* Expected texels are worked out by hand from the rules for converting colours. */
static void colours_are_packed(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    static const struct {
        cl_image_format format;
        float colour[4];
        uint8_t texel[16];
        size_t bytes;
    } floats[] = {
        {{CL_RGBA, CL_UNORM_INT8}, {0, 1, 0.5f, 2}, {0, 255, 128, 255}, 4},
        {{CL_BGRA, CL_UNORM_INT8}, {1, 0, 0.2f, 0}, {51, 0, 255, 0}, 4},
        {{CL_RGBA, CL_SNORM_INT8}, {-1, 1, -2, 0}, {0x81, 0x7f, 0x81, 0}, 4},
        {{CL_R, CL_UNORM_INT16}, {1, 0, 0, 0}, {0xff, 0xff}, 2},
        {{CL_RG, CL_HALF_FLOAT}, {1, -2, 0, 0}, {0x00, 0x3c, 0x00, 0xc0}, 4},
        {{CL_RG, CL_HALF_FLOAT}, {65536, 5.9604645e-8f, 0, 0}, {0, 0x7c, 1, 0}, 4},
        {{CL_R, CL_FLOAT}, {1, 0, 0, 0}, {0, 0, 0x80, 0x3f}, 4},
        {{CL_A, CL_UNORM_INT8}, {0, 0, 0, 1}, {255}, 1},
        {{CL_DEPTH, CL_FLOAT}, {1, 0, 0, 0}, {0, 0, 0x80, 0x3f}, 4},
    };
    static const struct {
        cl_image_format format;
        cl_int colour[4];
        uint8_t texel[16];
        size_t bytes;
    } integers[] = {
        {{CL_RGBA, CL_SIGNED_INT8}, {-1, 127, 300, -300}, {0xff, 0x7f, 0x7f, 0x80}, 4},
        {{CL_RG, CL_UNSIGNED_INT16}, {65536, 258, 0, 0}, {0xff, 0xff, 2, 1}, 4},
        {{CL_R, CL_SIGNED_INT32}, {-2, 0, 0, 0}, {0xfe, 0xff, 0xff, 0xff}, 4},
    };
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 1, .image_height = 1};
    const size_t zero[3] = {0}, one[] = {1, 1, 1};
    uint8_t texel[16];

#define CHECK(row)                                                                             \
    do {                                                                                       \
        cl_mem image = make(&d, 0, &(row).format, &desc, NULL);                                \
        GOOD(clEnqueueFillImage(d.queue, image, (row).colour, zero, one, 0, NULL, NULL));      \
        GOOD(clEnqueueReadImage(d.queue, image, CL_TRUE, zero, one, 0, 0, texel, 0, NULL,      \
                                NULL));                                                        \
        assert_memory_equal(texel, (row).texel, (row).bytes);                                  \
        release(image);                                                                        \
    } while (0)
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
        CHECK(floats[i]);
    /* How the application rounds makes no difference. */
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
        (void)fesetround(i % 2 ? FE_UPWARD : FE_TOWARDZERO);
        CHECK(floats[i]);
        assert_int_equal(fegetround(), i % 2 ? FE_UPWARD : FE_TOWARDZERO);
        (void)fesetround(FE_TONEAREST);
        CHECK(floats[i]);
    }
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        CHECK(integers[i]);
    driver_close(&d);
}

/* ---- maps and views --------------------------------------------------------------------- */

static void maps_show_texels(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    const cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
    static uint32_t host[MOST], out[MOST];
    const size_t zero[3] = {0};
    cl_int status;

    for (int i = 0; i < 2 * NUM_SHAPES; i++) {
        const shape *s = &shapes[i / 2];
        const size_t *n = s->size;
        size_t row = 0, slice = 1, from[] = {2, n[1] > 1, n[2] > 1}, one[] = {1, 1, 1};
        size_t index = 2 + n[0] * (from[1] + n[1] * from[2]);
        fill_texels(host);
        cl_mem a = make(&d, i % 2 ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR, &format,
                        &s->desc, host);
        uint32_t *seen = clEnqueueMapImage(d.queue, a, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                           from, one, &row, &slice, 0, NULL, NULL, &status);
        GOOD(status);
        bool is_layered = s->desc.image_depth || s->desc.image_array_size;
        bool is_lines = s->desc.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
        assert_int_equal(row, 44);
        assert_int_equal(slice, !is_layered ? 0 : is_lines ? 44 : 264);
        if (i % 2)
            assert_ptr_equal(seen, host + index);
        assert_int_equal(*seen, host[index]);
        *seen = 77;
        GOOD(clEnqueueUnmapMemObject(d.queue, a, seen, 0, NULL, NULL));
        GOOD(clEnqueueReadImage(d.queue, a, CL_TRUE, zero, n, 0, 0, out, 0, NULL, NULL));
        assert_int_equal(out[index], 77);
        if (is_layered) {
            assert_null(clEnqueueMapImage(d.queue, a, CL_TRUE, CL_MAP_READ, from, one, &row,
                                          NULL, 0, NULL, NULL, &status));
            assert_int_equal(status, CL_INVALID_VALUE);
        }
        release(a);
    }
    driver_close(&d);
}

/* Views of 4,096 bytes. */
static cl_image_desc line_of(cl_mem buffer)
{
    return (cl_image_desc){
        .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 1024, .mem_object = buffer};
}

static cl_image_desc plane_of(cl_mem buffer)
{
    return (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE2D,
                           .image_width = 8,
                           .image_height = 4,
                           .image_row_pitch = 64,
                           .mem_object = buffer};
}

static void views_of_buffers(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    cl_int status;
    cl_mem buffer = clCreateBuffer(d.context, 0, 4096, NULL, &status), parent;
    cl_image_desc line = line_of(buffer);
    cl_image_desc plane = plane_of(buffer);
    const size_t at[] = {3, 2, 0}, one[] = {1, 1, 1};
    const uint32_t colour[] = {0x3f800000, 0, 0, 0x3f800000}; /* red */
    uint8_t texel[4];

    GOOD(status);
    cl_mem flat = make(&d, 0, &rgba8, &plane, NULL), thin = make(&d, 0, &rgba8, &line, NULL);
    GOOD(clGetImageInfo(thin, CL_IMAGE_BUFFER, sizeof parent, &parent, NULL));
    assert_ptr_equal(parent, buffer);
    assert_int_equal(info(flat, CL_IMAGE_ROW_PITCH), 64);
    GOOD(clEnqueueFillImage(d.queue, flat, colour, at, one, 0, NULL, NULL));
    GOOD(
        clEnqueueReadBuffer(d.queue, buffer, CL_TRUE, 2 * 64 + 3 * 4, 4, texel, 0, NULL, NULL));
    assert_memory_equal(texel, ((uint8_t[]){255, 0, 0, 255}), 4);
    const size_t same[] = {2 * 16 + 3, 0, 0};
    GOOD(clEnqueueReadImage(d.queue, thin, CL_TRUE, same, one, 0, 0, texel, 0, NULL, NULL));
    assert_memory_equal(texel, ((uint8_t[]){255, 0, 0, 255}), 4);
    plane.image_row_pitch = 36;
    assert_int_equal(image_status(&d, 0, &rgba8, &plane, NULL), CL_INVALID_IMAGE_DESCRIPTOR);
    plane.image_row_pitch = 2048;
    assert_int_equal(image_status(&d, 0, &rgba8, &plane, NULL), CL_INVALID_IMAGE_SIZE);
    line.image_width = 1025;
    assert_int_equal(image_status(&d, 0, &rgba8, &line, NULL), CL_INVALID_IMAGE_SIZE);
    release(buffer);
    release(flat);
    release(thin);
    driver_close(&d);
}

/* The memory of the application is that of the whole: a view takes nothing from it, and its
 * maps are there. */
static void views_of_host_memory(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0);
    static const cl_image_format srgb = {CL_sRGBA, CL_UNORM_INT8};
    static uint8_t host[4096];
    cl_int status;

    for (size_t i = 0; i < sizeof host; i++)
        host[i] = (uint8_t)(i * 7);
    cl_mem buffer = clCreateBuffer(d.context, CL_MEM_USE_HOST_PTR, sizeof host, host, &status);
    GOOD(status);
    cl_image_desc line = line_of(buffer);
    cl_image_desc plane = plane_of(buffer);
    cl_image_desc whole = plane_of(NULL);
    cl_mem image = make(&d, CL_MEM_USE_HOST_PTR, &rgba8, &whole, host);
    cl_image_desc other = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                           .image_width = 8,
                           .image_height = 4,
                           .mem_object = image};
    cl_mem views[] = {make(&d, 0, &rgba8, &line, NULL), make(&d, 0, &rgba8, &plane, NULL),
                      make(&d, CL_MEM_READ_ONLY, &srgb, &other, NULL)};
    for (size_t i = 0; i < 3; i++) {
        const size_t at[] = {i == 0 ? 19 : 3, i == 0 ? 0 : 1, 0}, one[] = {1, 1, 1};
        const size_t place = 4 * (i == 0 ? 19 : 16 + 3);
        uint8_t texel[4];
        size_t pitch;
        GOOD(clEnqueueReadImage(d.queue, views[i], CL_TRUE, at, one, 0, 0, texel, 0, NULL,
                                NULL));
        assert_memory_equal(texel, host + place, 4);
        uint8_t *map = clEnqueueMapImage(d.queue, views[i], CL_TRUE, CL_MAP_READ, at, one,
                                         &pitch, NULL, 0, NULL, NULL, &status);
        GOOD(status);
        assert_ptr_equal(map, host + place);
        assert_true(i == 0 || pitch == 64);
        GOOD(clEnqueueUnmapMemObject(d.queue, views[i], map, 0, NULL, NULL));
        release(views[i]);
    }
    release(image);
    release(buffer);
    driver_close(&d);
}

/* What a buffer may not be used for, an image of it may not either. */
static void views_are_no_way_around_flags(void **state)
{
    static const struct {
        cl_mem_flags whole, view;
        cl_int status;
        cl_mem_flags access; /* of the view then */
    } cases[] = {
        {CL_MEM_READ_ONLY, 0, CL_SUCCESS, CL_MEM_READ_ONLY},
        {CL_MEM_WRITE_ONLY | CL_MEM_HOST_READ_ONLY, 0, CL_SUCCESS,
         CL_MEM_WRITE_ONLY | CL_MEM_HOST_READ_ONLY},
        {0, CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS, CL_SUCCESS,
         CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS},
        {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_INVALID_VALUE, 0},
        {CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE, CL_INVALID_VALUE, 0},
        {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY, CL_INVALID_VALUE, 0},
        {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_WRITE_ONLY, CL_INVALID_VALUE, 0},
        {CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY, CL_INVALID_VALUE, 0},
        {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY, CL_INVALID_VALUE, 0},
    };
    (void)state;
    driver d = driver_open("Skylake", 0);

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cl_int status;
        cl_mem_flags flags;
        cl_mem buffer = clCreateBuffer(d.context, cases[i].whole, 256, NULL, &status);
        cl_image_desc line = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER,
                              .image_width = 64,
                              .mem_object = buffer};
        GOOD(status);
        assert_int_equal(image_status(&d, cases[i].view, &rgba8, &line, NULL), cases[i].status);
        if (cases[i].status == CL_SUCCESS) {
            cl_mem view = make(&d, cases[i].view, &rgba8, &line, NULL);
            GOOD(clGetMemObjectInfo(view, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
            assert_int_equal(flags, cases[i].access);
            release(view);
        }
        release(buffer);
    }
    driver_close(&d);
}

/* ---- samplers --------------------------------------------------------------------------- */

static cl_int sampler_status(const driver *d, cl_bool normalized, cl_addressing_mode addressing,
                             cl_filter_mode filter)
{
    cl_int status = 1;
    cl_sampler sampler = clCreateSampler(d->context, normalized, addressing, filter, &status);

    assert_true((sampler != NULL) == (status == CL_SUCCESS));
    if (sampler)
        GOOD(clReleaseSampler(sampler));
    return status;
}

static void samplers_answer(void **state)
{
    (void)state;
    driver d = driver_open("Skylake", 0), e = driver_open("PVC", 0);
    const cl_sampler_properties list[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR,
                                          CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_REPEAT, 0};
    const cl_sampler_properties twice[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR,
                                           CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0};
    const cl_sampler_properties unknown[] = {0x1, 1, 0};
    cl_sampler_properties copy[8];
    cl_int status;
    cl_uint number;
    size_t bytes;
    cl_sampler sampler = clCreateSamplerWithProperties(d.context, list, &status);

    GOOD(status);
    GOOD(clGetSamplerInfo(sampler, CL_SAMPLER_FILTER_MODE, sizeof number, &number, NULL));
    assert_int_equal(number, CL_FILTER_LINEAR);
    GOOD(clGetSamplerInfo(sampler, CL_SAMPLER_ADDRESSING_MODE, sizeof number, &number, NULL));
    assert_int_equal(number, CL_ADDRESS_REPEAT);
    GOOD(clGetSamplerInfo(sampler, CL_SAMPLER_NORMALIZED_COORDS, sizeof number, &number, NULL));
    assert_int_equal(number, CL_TRUE);
    GOOD(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, sizeof copy, copy, &bytes));
    assert_int_equal(bytes, sizeof list);
    assert_memory_equal(copy, list, sizeof list);
    GOOD(clRetainSampler(sampler));
    GOOD(clGetSamplerInfo(sampler, CL_SAMPLER_REFERENCE_COUNT, sizeof number, &number, NULL));
    assert_int_equal(number, 2);
    GOOD(clReleaseSampler(sampler));
    GOOD(clReleaseSampler(sampler));
    assert_null(clCreateSamplerWithProperties(d.context, twice, &status));
    assert_int_equal(status, CL_INVALID_VALUE);
    assert_null(clCreateSamplerWithProperties(d.context, unknown, &status));
    assert_int_equal(status, CL_INVALID_VALUE);
    GOOD(sampler_status(&d, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST));
    assert_int_equal(sampler_status(&d, CL_FALSE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST),
                     CL_INVALID_VALUE);
    assert_int_equal(sampler_status(&d, CL_TRUE, 0x1, CL_FILTER_NEAREST), CL_INVALID_VALUE);
    assert_int_equal(sampler_status(&d, CL_TRUE, CL_ADDRESS_REPEAT, 0x1), CL_INVALID_VALUE);
    assert_int_equal(sampler_status(&e, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST),
                     CL_INVALID_OPERATION);
    driver_close(&d);
    driver_close(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mandatory_formats_are_there),
        cmocka_unit_test(images_check_what_they_get),
        cmocka_unit_test(images_answer),
        cmocka_unit_test(texels_are_moved),
        cmocka_unit_test(texels_and_buffers),
        cmocka_unit_test(moves_are_checked),
        cmocka_unit_test(colours_are_packed),
        cmocka_unit_test(maps_show_texels),
        cmocka_unit_test(views_of_buffers),
        cmocka_unit_test(views_of_host_memory),
        cmocka_unit_test(views_are_no_way_around_flags),
        cmocka_unit_test(samplers_answer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
