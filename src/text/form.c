/* SPDX-License-Identifier: MIT */
#include "text/form.h"

#include <string.h>

static const char *const role_names[VSG_TXT_ROLE_COUNT] = {
#define ROLE(id, name) [VSG_TXT_ROLE_##id] = name,
    VSG_TXT_ROLES(ROLE)
#undef ROLE
};

static bool is_list(vsg_isa_slot_kind kind)
{
    return kind == VSG_ISA_SLOT_RAW_LIST || kind == VSG_ISA_SLOT_LABEL_LIST;
}

static void read_slots(vsg_txt_form *form, const vsg_isa_form_info *info)
{
    for (const vsg_isa_slot *slot = info->slots; slot->kind != VSG_ISA_SLOT_END; slot++) {
        form->has_exec |= slot->kind == VSG_ISA_SLOT_EXEC;
        form->has_predicate |= slot->kind == VSG_ISA_SLOT_PRED;
        if (slot->kind < VSG_ISA_SLOT_DST)
            continue;
        uint8_t number = form->num_operands++;
        form->kinds[number] = slot->kind;
        if (is_list(slot->kind))
            form->list = number;
        for (unsigned role = 0; role < VSG_TXT_ROLE_COUNT; role++)
            if (role_names[role][0] == slot->name[0] &&
                strcmp(role_names[role], slot->name) == 0)
                form->roles[role] = number;
    }
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void read_order(vsg_txt_form *form, const char *order)
{
    form->no_operands = order[0] == '-';
    if (order[0] == '\0')
        for (uint8_t i = 0; i < form->num_operands; i++)
            form->order[form->num_order++] = i;
    while (is_digit(*order)) {
        uint8_t number = 0;
        for (; is_digit(*order); order++)
            number = (uint8_t)(number * 10 + (*order - '0'));
        form->order[form->num_order++] = number;
        order += *order == ' ';
    }
}

const vsg_txt_form *vsg_txt_form_of(vsg_txt_form *forms, visage_op op)
{
    vsg_txt_form *form = &forms[vsg_isa_op(op)->form];
    const vsg_isa_form_info *info = vsg_isa_form_of(op);

    if (form->ready)
        return form;
    memset(form->roles, VSG_TXT_NO_OPERAND, sizeof form->roles);
    form->list = VSG_TXT_NO_OPERAND;
    read_slots(form, info);
    read_order(form, info->order);
    form->ready = true;
    return form;
}

void vsg_txt_read_forms(vsg_txt_form *forms)
{
    for (uint32_t op = 0; op < VISAGE_OP_COUNT; op++)
        (void)vsg_txt_form_of(forms, (visage_op)op);
}

bool vsg_txt_is_address(const vsg_txt_form *form, uint32_t number)
{
    return number == form->roles[VSG_TXT_ROLE_ADDRESS] ||
           number == form->roles[VSG_TXT_ROLE_U] ||
           number == form->roles[VSG_TXT_ROLE_SURFACE_BASE] ||
           number == form->roles[VSG_TXT_ROLE_X] || number == form->roles[VSG_TXT_ROLE_SURFACE];
}

bool vsg_txt_is_worded(const vsg_txt_form *form, uint32_t number, vsg_isa_words *list)
{
    static const struct {
        vsg_txt_role role;
        vsg_isa_words list;
    } worded[] = {{VSG_TXT_ROLE_CONTROL, VSG_ISA_WORDS_AVS_CONTROL},
                  {VSG_TXT_ROLE_EXEC_MODE, VSG_ISA_WORDS_AVS_EXEC_MODE}};

    for (size_t i = 0; i < sizeof worded / sizeof worded[0]; i++) {
        if (form->roles[worded[i].role] != number)
            continue;
        *list = worded[i].list;
        return true;
    }
    return false;
}

bool vsg_txt_has_rt_parameter(const vsg_isa_rt_parameter *parameter, uint64_t mode)
{
    return parameter->bit < 0 || mode >> parameter->bit & 1;
}
