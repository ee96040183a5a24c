/* SPDX-License-Identifier: MIT
 *
 * A module as text and as binary. */
#include "api/api.h"
#include "object/binary.h"
#include "object/strip.h"
#include "text/printer.h"

static void tell_of_data(const visage_module *module, visage_diagnostics *diagnostics)
{
    if (vsg_api_holds_data(module))
        vsg_base_report(diagnostics, VSG_DIAG_LINK_CONSTANTS, &VSG_BASE_NOWHERE);
}

visage_status visage_module_print(const visage_module *module,
                                  const visage_print_options *options, visage_write_fn write,
                                  void *user)
{
    visage_print_options known;

    if (!module || !write || !vsg_api_options(&known, sizeof known, options))
        return VISAGE_ARGUMENT;
    const vsg_txt_print_options wanted = {.no_comments = known.no_comments,
                                          .all_attributes = known.all_attributes,
                                          .diagnostics = known.diagnostics};
    tell_of_data(module, known.diagnostics);
    return vsg_txt_print(module->object, &wanted, write, user);
}

vsg_obj_layout vsg_api_layout(visage_layout layout)
{
    static const vsg_obj_layout layouts[] = {
        [VISAGE_LAYOUT_DEFAULT] = VSG_OBJ_LAYOUT_NONE,
        [VISAGE_LAYOUT_DOC] = VSG_OBJ_LAYOUT_DOC,
        [VISAGE_LAYOUT_IGC] = VSG_OBJ_LAYOUT_IGC,
    };

    return layouts[layout];
}

visage_status visage_module_write(const visage_module *module,
                                  const visage_write_options *options,
                                  visage_diagnostics *diagnostics, visage_write_fn write,
                                  void *user)
{
    visage_write_options known;
    vsg_obj_bytes bytes;

    if (!module || !write || !vsg_api_options(&known, sizeof known, options) ||
        (unsigned)known.layout > VISAGE_LAYOUT_IGC)
        return VISAGE_ARGUMENT;
    tell_of_data(module, diagnostics);
    visage_status status =
        vsg_obj_write_binary(module->object, vsg_api_layout(known.layout), diagnostics, &bytes);
    if (status != VISAGE_OK)
        return status;
    if (!write(user, bytes.data, bytes.size))
        status = VISAGE_IO;
    vsg_obj_bytes_free(&module->object->alloc, &bytes);
    return status;
}

visage_status visage_module_strip(visage_module *module, const visage_strip_options *options)
{
    visage_strip_options known;

    if (!module || !vsg_api_options(&known, sizeof known, options))
        return VISAGE_ARGUMENT;
    if (module->is_zebin)
        return VISAGE_UNSUPPORTED;
    if (!options || known.gen_binaries)
        vsg_obj_strip_gen_binaries(module->object);
    if ((!options || known.debug) && !vsg_obj_strip_debug(module->object))
        return VISAGE_NO_MEMORY;
    return VISAGE_OK;
}
