/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "opencl/device.h"

typedef enum extension_kind { PLATFORM, API, LANGUAGE } extension_kind;
typedef enum feature_telling { WHERE_IT_IS, ALWAYS } feature_telling;

static const vsg_ocl_extension rows[] = {
#define EXTENSION(name_, major, minor, patch, needs_, kind)                                    \
    {.name = name_,                                                                            \
     .version = CL_MAKE_VERSION(major, minor, patch),                                          \
     .needs = needs_,                                                                          \
     .is_platform = (kind) == PLATFORM,                                                        \
     .is_language = (kind) == LANGUAGE},
#define FEATURE(name_, needs_, told)                                                           \
    {.name = name_,                                                                            \
     .version = CL_MAKE_VERSION(3, 0, 0),                                                      \
     .needs = needs_,                                                                          \
     .is_feature = true,                                                                       \
     .is_language = true,                                                                      \
     .is_always_told = (told) == ALWAYS},
#include "opencl/extensions.def"
#undef EXTENSION
#undef FEATURE
};

enum { NUM_ROWS = sizeof rows / sizeof *rows };

size_t vsg_ocl_extensions(const vsg_ocl_extension **out)
{
    *out = rows;
    return NUM_ROWS;
}

/* The platform has what all of its devices have. */
bool vsg_ocl_device_has_extension(cl_device_id device, const vsg_ocl_extension *extension)
{
    const cl_device_id *devices;
    size_t count = device ? 0 : vsg_ocl_devices(&devices);

    if (device)
        return extension->needs == 0 || (device->has & extension->needs) != 0;
    for (size_t i = 0; i < count && !extension->is_platform; i++)
        if (!vsg_ocl_device_has_extension(devices[i], extension))
            return false;
    return count > 0 || extension->is_platform;
}

cl_int vsg_ocl_answer_extensions(const vsg_ocl_query *query, cl_device_id device)
{
    char names[NUM_ROWS * CL_NAME_VERSION_MAX_NAME_SIZE];
    size_t length = 0;

    for (size_t i = 0; i < NUM_ROWS; i++) {
        if (rows[i].is_feature || !vsg_ocl_device_has_extension(device, &rows[i]))
            continue;
        size_t added = strlen(rows[i].name);
        if (length > 0)
            names[length++] = ' ';
        memcpy(names + length, rows[i].name, added);
        length += added;
    }
    names[length] = '\0';
    return vsg_ocl_answer_string(query, names);
}

cl_int vsg_ocl_answer_extension_versions(const vsg_ocl_query *query, cl_device_id device,
                                         bool features)
{
    cl_name_version list[NUM_ROWS];
    size_t count = 0;

    memset(list, 0, sizeof list);
    for (size_t i = 0; i < NUM_ROWS; i++) {
        if (rows[i].is_feature != features || !vsg_ocl_device_has_extension(device, &rows[i]))
            continue;
        list[count].version = rows[i].version;
        (void)snprintf(list[count].name, sizeof list->name, "%s", rows[i].name);
        count++;
    }
    return vsg_ocl_answer(query, list, count * sizeof *list);
}
