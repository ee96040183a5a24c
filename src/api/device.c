/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "api/api.h"
#include "jit/target.h"

visage_status visage_device_create(visage_context *context,
                                   const visage_device_options *options, visage_device **out)
{
    visage_device_options known;

    if (!out)
        return VISAGE_ARGUMENT;
    *out = NULL;
    if (!context || !options || !vsg_api_options(&known, sizeof known, options))
        return VISAGE_ARGUMENT;
    if (!vsg_isa_platform(known.platform) || known.jobs > VSG_RUN_MAX_JOBS ||
        known.slm_bytes > VSG_RUN_MAX_SLM_BYTES || (unsigned)known.cpu >= VISAGE_CPU_COUNT ||
        (known.memory_bytes != 0 &&
         (known.memory_bytes < VSG_RUN_LEAST_MEMORY_BYTES || known.memory_of)))
        return VISAGE_ARGUMENT;
    return vsg_run_device_create(&context->alloc, &known, out);
}

bool visage_cpu_find(const char *name, visage_cpu *out)
{
    return name && out && vsg_jit_level_find(name, out);
}

bool visage_cpu_runs(visage_cpu cpu)
{
    return (unsigned)cpu < VISAGE_CPU_COUNT && vsg_jit_level_runs(cpu);
}

void visage_device_destroy(visage_device **device)
{
    vsg_run_device_destroy(device);
}

uint32_t visage_device_jobs(const visage_device *device)
{
    return device ? device->jobs : 0;
}

visage_status visage_buffer_create(visage_device *device, size_t size_bytes,
                                   visage_buffer **out)
{
    if (!out)
        return VISAGE_ARGUMENT;
    *out = NULL;
    if (!device || size_bytes == 0)
        return VISAGE_ARGUMENT;
    *out = vsg_run_buffer_create(device, size_bytes);
    return *out ? VISAGE_OK : VISAGE_NO_MEMORY;
}

void visage_buffer_destroy(visage_buffer **buffer)
{
    vsg_run_buffer_destroy(buffer);
}

void *visage_buffer_data(visage_buffer *buffer)
{
    return buffer ? vsg_run_memory_at(buffer->memory, buffer->address) : NULL;
}

size_t visage_buffer_size(const visage_buffer *buffer)
{
    return buffer ? buffer->size_bytes : 0;
}

uint64_t visage_buffer_address(const visage_buffer *buffer)
{
    return buffer ? buffer->address : 0;
}

visage_status visage_buffer_set_written(visage_buffer *buffer, size_t offset_bytes,
                                        size_t size_bytes, bool written)
{
    if (!buffer || offset_bytes > buffer->size_bytes ||
        size_bytes > buffer->size_bytes - offset_bytes)
        return VISAGE_ARGUMENT;
    vsg_run_memory *memory = buffer->memory;
    uint8_t *shadow = vsg_run_memory_shadow(memory);
    if (!shadow)
        return VISAGE_NO_MEMORY;
    uint64_t at = buffer->address - (uint64_t)(uintptr_t)memory->space.base + offset_bytes;
    memset(shadow + at, written ? 0 : 0xff, size_bytes);
    return VISAGE_OK;
}

visage_status visage_buffer_set_rights(visage_buffer *buffer, bool reads, bool writes)
{
    if (!buffer)
        return VISAGE_ARGUMENT;
    vsg_run_memory *memory = buffer->memory;
    uint64_t first =
        (buffer->address - (uint64_t)(uintptr_t)memory->space.base) >> VSG_EXE_PAGE_SHIFT;
    uint64_t last = first + ((buffer->size_bytes - 1) >> VSG_EXE_PAGE_SHIFT);
    int page = VSG_EXE_PAGE_TAKEN | (reads ? 0 : VSG_EXE_PAGE_NO_READ) |
               (writes ? 0 : VSG_EXE_PAGE_NO_WRITE);
    memset(memory->pages + first, page, (size_t)(last - first + 1));
    return VISAGE_OK;
}
