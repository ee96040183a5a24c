/* SPDX-License-Identifier: MIT */
#include "jit/lines.h"

#include <string.h>

static LLVMMetadataRef describe_file(const vsg_jit_emitter *e)
{
    const char *name = e->unit->object->file;

    if (!name)
        name = "";
    return LLVMDIBuilderCreateFile(e->debug, name, strlen(name), "", 0);
}

/* A flag of the module, without which LLVM drops the information. */
static void add_flag(const vsg_jit_emitter *e, const char *name, uint32_t value)
{
    LLVMMetadataRef number =
        LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(e->context), value, false));

    LLVMAddModuleFlag(e->module, LLVMModuleFlagBehaviorWarning, name, strlen(name), number);
}

void vsg_jit_open_lines(vsg_jit_emitter *e, vsg_jit_lines lines)
{
    e->lines = lines;
    if (lines == VSG_JIT_NO_LINES)
        return;
    add_flag(e, "Debug Info Version", LLVMDebugMetadataVersion());
    add_flag(e, "Dwarf Version", 4);
    e->debug = LLVMCreateDIBuilder(e->module);
}

/* The function with a location of its own, which those of its instructions refer to. */
static void describe_function(vsg_jit_emitter *e)
{
    static const char producer[] = "visage";
    const char *name = e->unit->object->name;
    LLVMMetadataRef file = describe_file(e);

    (void)LLVMDIBuilderCreateCompileUnit(
        e->debug, LLVMDWARFSourceLanguageC, file, producer, sizeof producer - 1, true, "", 0, 0,
        "", 0, LLVMDWARFEmissionLineTablesOnly, 0, false, false, "", 0, "", 0);
    LLVMMetadataRef type =
        LLVMDIBuilderCreateSubroutineType(e->debug, file, NULL, 0, LLVMDIFlagZero);
    e->scope = LLVMDIBuilderCreateFunction(e->debug, file, name, strlen(name), NULL, 0, file, 1,
                                           type, false, true, 1, LLVMDIFlagZero, true);
    LLVMSetSubprogram(e->function, e->scope);
}

static uint32_t line_of(const vsg_jit_emitter *e, uint32_t place)
{
    if (place == VSG_JIT_NO_PLACE)
        return 0;
    const vsg_obj_inst *source = e->unit->code[place].source;
    if (!source)
        return 0;
    return e->lines == VSG_JIT_SOURCE_LINES ? source->place.line
                                            : (uint32_t)(source - e->unit->object->insts) + 1;
}

void vsg_jit_mark_line(vsg_jit_emitter *e, uint32_t place)
{
    if (!e->debug)
        return;
    if (!e->scope)
        describe_function(e);
    LLVMSetCurrentDebugLocation2(e->b, LLVMDIBuilderCreateDebugLocation(
                                           e->context, line_of(e, place), 0, e->scope, NULL));
}

void vsg_jit_close_lines(vsg_jit_emitter *e)
{
    if (!e->debug)
        return;
    LLVMDIBuilderFinalize(e->debug);
    LLVMDisposeDIBuilder(e->debug);
    e->debug = NULL;
}
