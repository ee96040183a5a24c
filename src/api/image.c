/* SPDX-License-Identifier: MIT
 *
 * Images and samplers. */
#include "runtime/image.h"
#include "api/api.h"

visage_status visage_image_create(visage_buffer *buffer, const visage_image_options *options,
                                  visage_diagnostics *diagnostics, visage_image **out)
{
    visage_image_options known;

    if (!out)
        return VISAGE_ARGUMENT;
    *out = NULL;
    if (!buffer || !options || !vsg_api_options(&known, sizeof known, options) || !known.format)
        return VISAGE_ARGUMENT;
    return vsg_run_image_create(buffer, &known, diagnostics, out);
}

void visage_image_destroy(visage_image **image)
{
    vsg_run_image_destroy(image);
}

visage_status visage_sampler_create(visage_context *context,
                                    const visage_sampler_options *options, visage_sampler **out)
{
    visage_sampler_options known;

    if (!out)
        return VISAGE_ARGUMENT;
    *out = NULL;
    if (!context || !vsg_api_options(&known, sizeof known, options))
        return VISAGE_ARGUMENT;
    return vsg_run_sampler_create(&context->alloc, &known, out);
}

void visage_sampler_destroy(visage_sampler **sampler)
{
    vsg_run_sampler_destroy(sampler);
}
