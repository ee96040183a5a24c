/* SPDX-License-Identifier: MIT
 *
 * Code that finds out whether what was foreseen is so.
 *
 * Rows of a picture begin at numbers that are known only when the text runs, so that each has
 * tests of its own: x + row 1, x + row 2 ... are to be in the same range, or in memory. Where
 * the least and the greatest of the rows are, so are those between them. */
#include "jit/foresee.h"
#include "jit/marks.h"

typedef vsg_jit_sum form;
typedef vsg_jit_foresight foresight;

/* A root is to be in its range, or a check to be kept. */
typedef struct test {
    uint32_t root;
    const vsg_jit_check *check; /* NULL: the range */
    bool is_done;
} test;

typedef struct test_list {
    foresight *f;
    test tests[VSG_JIT_MOST_ROOTS + VSG_JIT_MOST_CHECKS];
    uint32_t count;
} test_list;

/* Alike tests of roots that differ in one term. All these terms are narrow: they are less than
 * 2^33 apart, so that there is no way around from one to another. */
typedef struct bundle {
    uint32_t members[VSG_JIT_MOST_ROOTS]; /* of the list */
    LLVMValueRef terms[VSG_JIT_MOST_ROOTS];
    uint32_t count;
    uint32_t place; /* where the first one's form has its term */
} bundle;

/* ---- terms ------------------------------------------------------------------------------- */

static bool has_term(const form *of, LLVMValueRef term, int64_t scale)
{
    for (uint32_t i = 0; i < of->num_terms; i++)
        if (of->terms[i] == term)
            return of->scales[i] == scale;
    return false;
}

static bool can_differ(const form *of, uint32_t place)
{
    return of->scales[place] == 1 && vsg_jit_is_narrow_term(of->terms[place]);
}

/* The term of another form that stands where this one has the term at a place, if they differ
 * in nothing else. NULL: they do. */
static LLVMValueRef other_term(const form *of, uint32_t place, const form *other)
{
    LLVMValueRef found = NULL;

    if (of->num_terms != other->num_terms)
        return NULL;
    for (uint32_t i = 0; i < of->num_terms; i++)
        if (i != place && !has_term(other, of->terms[i], of->scales[i]))
            return NULL;
    for (uint32_t i = 0; i < other->num_terms; i++) {
        bool is_common = false;
        for (uint32_t k = 0; k < of->num_terms; k++)
            is_common = is_common || (k != place && of->terms[k] == other->terms[i]);
        if (is_common)
            continue;
        if (found || !can_differ(other, i))
            return NULL;
        found = other->terms[i];
    }
    return found;
}

static LLVMValueRef sum_without(foresight *f, const form *of, uint32_t place)
{
    form rest = *of;

    rest.num_terms--;
    rest.terms[place] = of->terms[rest.num_terms];
    rest.scales[place] = of->scales[rest.num_terms];
    return vsg_jit_sum_of_terms(f, &rest);
}

/* ---- bundles ----------------------------------------------------------------------------- */

static const form *form_of(const test_list *list, uint32_t i)
{
    return &list->f->roots[list->tests[i].root].form;
}

/* Are they the same but for what is tested? A window is memory, whichever access it was looked
 * for; of other limits it is not known that there is room above. */
static bool are_alike(const test_list *list, const test *a, const test *b)
{
    const vsg_jit_root *x = &list->f->roots[a->root], *y = &list->f->roots[b->root];

    if (!a->check || !b->check)
        return !a->check && !b->check && x->from == y->from && x->last == y->last;
    return a->check->kind == VSG_JIT_CHECK_WINDOW && b->check->kind == VSG_JIT_CHECK_WINDOW &&
           a->check->reach == b->check->reach;
}

static void gather(const test_list *list, uint32_t first, uint32_t place, bundle *out)
{
    const form *of = form_of(list, first);

    out->place = place;
    out->count = 0;
    for (uint32_t i = first; i < list->count && out->count < VSG_JIT_MOST_ROOTS; i++) {
        LLVMValueRef term =
            i == first ? of->terms[place] : other_term(of, place, form_of(list, i));
        if (!term || list->tests[i].is_done ||
            !are_alike(list, &list->tests[first], &list->tests[i]))
            continue;
        out->members[out->count] = i;
        out->terms[out->count++] = term;
    }
}

/* The longest bundle from a test on. False: none is worth it. */
static bool find_bundle(const test_list *list, uint32_t first, bundle *out)
{
    enum { FEWEST = 3 };
    const form *of = form_of(list, first);
    uint32_t place = 0, most = 0;

    for (uint32_t i = 0; i < of->num_terms; i++) {
        if (!can_differ(of, i))
            continue;
        gather(list, first, i, out);
        place = out->count > most ? i : place;
        most = out->count > most ? out->count : most;
    }
    if (most < FEWEST)
        return false;
    gather(list, first, place, out);
    return true;
}

/* ---- code -------------------------------------------------------------------------------- */

static LLVMValueRef is_kept(foresight *f, const vsg_jit_check *check, LLVMValueRef root)
{
    LLVMBuilderRef b = f->e->b;
    LLVMValueRef first = LLVMBuildAdd(b, root, vsg_jit_i64(f->e, (uint64_t)check->least), "");
    LLVMValueRef limit = check->limit;

    if (check->kind == VSG_JIT_CHECK_WINDOW)
        first = LLVMBuildSub(b, first, vsg_jit_window_base(f->e, check->limit, &limit), "");
    LLVMValueRef args[] = {limit,
                           vsg_jit_i64(f->e, (uint64_t)check->most - (uint64_t)check->least)};
    if (check->most > check->least)
        limit = vsg_jit_intrinsic(f->e, "llvm.usub.sat", f->e->i64, args, 2);
    return LLVMBuildICmp(b, LLVMIntULT, first, limit, "");
}

static LLVMValueRef is_in_range(foresight *f, const vsg_jit_root *own, LLVMValueRef value)
{
    LLVMValueRef from = vsg_jit_i64(f->e, (uint64_t)own->from);
    LLVMValueRef offset = LLVMBuildSub(f->e->b, value, from, "");

    if (own->from > own->last)
        return LLVMConstInt(f->e->i1, 0, false);
    return LLVMBuildICmp(f->e->b, LLVMIntULE, offset,
                         vsg_jit_i64(f->e, (uint64_t)own->last - (uint64_t)own->from), "");
}

/* weigh: vsg_jit_likely() or vsg_jit_mostly(). */
static void require(foresight *f, LLVMValueRef condition, LLVMBasicBlockRef otherwise,
                    void (*weigh)(vsg_jit_emitter *e, LLVMValueRef branch))
{
    vsg_jit_emitter *e = f->e;
    LLVMBasicBlockRef next =
        LLVMAppendBasicBlockInContext(e->context, LLVMGetBasicBlockParent(otherwise), "");

    /* What follows from others that do not hold is nothing to go by. */
    condition = LLVMBuildFreeze(e->b, condition, "");
    weigh(e, LLVMBuildCondBr(e->b, condition, next, otherwise));
    LLVMPositionBuilderAtEnd(e->b, next);
}

/* check: NULL: the range. value: of the root. */
static void require_of(foresight *f, uint32_t root, const vsg_jit_check *check,
                       LLVMValueRef value, LLVMBasicBlockRef otherwise)
{
    if (check)
        require(f, is_kept(f, check, value), otherwise, vsg_jit_likely);
    else
        require(f, is_in_range(f, &f->roots[root], value), otherwise, vsg_jit_mostly);
}

/* One check for all, from what is least in any to what is most. */
static vsg_jit_check check_of_all(const test_list *list, const bundle *of)
{
    vsg_jit_check all = *list->tests[of->members[0]].check;

    for (uint32_t i = 1; i < of->count; i++) {
        const vsg_jit_check *other = list->tests[of->members[i]].check;
        all.least = other->least < all.least ? other->least : all.least;
        all.most = other->most > all.most ? other->most : all.most;
    }
    return all;
}

static void require_all(test_list *list, const bundle *of, LLVMBasicBlockRef otherwise)
{
    static const char *const ends[] = {"llvm.smin", "llvm.smax"};
    foresight *f = list->f;
    const test *first = &list->tests[of->members[0]];
    LLVMValueRef common = sum_without(f, form_of(list, of->members[0]), of->place);
    vsg_jit_check all;

    if (first->check)
        all = check_of_all(list, of);
    for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
        LLVMValueRef end = of->terms[0];
        for (uint32_t i = 1; i < of->count; i++) {
            LLVMValueRef args[] = {end, of->terms[i]};
            end = vsg_jit_intrinsic(f->e, ends[e], f->e->i64, args, 2);
        }
        require_of(f, first->root, first->check ? &all : NULL,
                   LLVMBuildAdd(f->e->b, common, end, ""), otherwise);
    }
    for (uint32_t i = 0; i < of->count; i++)
        list->tests[of->members[i]].is_done = true;
}

static void list_tests(foresight *f, test_list *out)
{
    out->f = f;
    out->count = 0;
    for (uint32_t i = 0; i < f->num_roots; i++)
        if (f->roots[i].is_bound)
            out->tests[out->count++] = (test){.root = i};
    for (uint32_t i = 0; i < f->num_checks; i++)
        out->tests[out->count++] = (test){.root = f->checks[i].root, .check = &f->checks[i]};
}

bool vsg_jit_check_foreseen(foresight *f, LLVMBasicBlockRef otherwise)
{
    test_list *list = vsg_base_arena_new(&f->e->arena, 1, sizeof *list);
    bundle *some = vsg_base_arena_new(&f->e->arena, 1, sizeof *some);

    if (!list || !some)
        return false;
    for (uint32_t i = 0; i < f->num_roots; i++)
        (void)vsg_jit_root_value(f, i);
    for (uint32_t i = 0; i < f->num_others; i++)
        require(f,
                f->others[i].is_true ? f->others[i].from
                                     : LLVMBuildNot(f->e->b, f->others[i].from, ""),
                otherwise, vsg_jit_mostly);
    list_tests(f, list);
    for (uint32_t i = 0; i < list->count; i++) {
        const test *t = &list->tests[i];
        if (t->is_done)
            continue;
        if (find_bundle(list, i, some))
            require_all(list, some, otherwise);
        else
            require_of(f, t->root, t->check, vsg_jit_root_value(f, t->root), otherwise);
    }
    return true;
}
