/* SPDX-License-Identifier: MIT */
/*
 * Lays out what a launch passes to a kernel: checks that no two things claim one uniform word, and
 * works out the packed buffer, the kernarg image and the copies between them.
 */
#include <stdlib.h>

#include "drv/codeobj_internal.h"

/* A claim on uniform words: by an argument, or by a run of immediates. */
struct claim {
	uint32_t word, count;
	uint32_t argument; /* number of the argument; immediates follow the arguments */
};

/* Types whose place in the registers is known to be their size (or, for 12, a pair). */
static bool is_known_type(uint32_t type)
{
	switch (type) {
	case 0:
	case 6:
	case 7:
	case 8:
	case 9:
	case 10:
	case 12:
	case 14:
	case 18:
	case 24:
		return true;
	default:
		return false;
	}
}

static int compare_claims(const void *a, const void *b)
{
	const struct claim *x = a, *y = b;

	if (x->word != y->word)
		return x->word < y->word ? -1 : 1;
	return x->argument < y->argument ? -1 : x->argument > y->argument;
}

/* Everything in the uniform registers, by ascending word. NULL if memory has run out. */
static struct claim *collect_claims(struct mt_codeobj_loader *loader,
				    const struct mt_codeobj_kernel *kernel, uint32_t *count_out)
{
	uint64_t room = (uint64_t)kernel->arg_count + kernel->immediate_count + 1;
	struct claim *claims = mt_arena_alloc(&loader->scratch, room * sizeof(*claims), 4);
	uint32_t count = 0;

	if (!claims)
		return NULL;
	for (uint32_t i = 0; i < kernel->arg_count; i++) {
		const struct mt_codeobj_arg *arg = &kernel->args[i];

		if (arg->reg_bank == MT_CODEOBJ_BANK_KERNARG && arg->word_count)
			claims[count++] = (struct claim){arg->word, arg->word_count, i};
	}
	for (uint32_t i = 0; i < kernel->immediate_count; i++)
		claims[count++] =
			(struct claim){kernel->immediates[i].word, kernel->immediates[i].count,
				       kernel->arg_count + i};
	qsort(claims, count, sizeof(*claims), compare_claims);
	*count_out = count;
	return claims;
}

/*
 * A parameter of a type not seen so far whose value is larger than the room up to the next claim
 * is passed by address, if at least the address fits.
 */
static void narrow_unknown(struct mt_codeobj_arg *args, struct claim *claim,
			   const struct claim *next)
{
	struct mt_codeobj_arg *arg = &args[claim->argument];
	uint32_t room = next->word - claim->word;

	if (arg->kind != MT_CODEOBJ_KIND_EXPLICIT || is_known_type(arg->type) ||
	    room >= claim->count || room < 2)
		return;
	arg->indirect = true;
	arg->word_count = 2;
	claim->count = 2;
}

static const char *check_claims(struct mt_codeobj_kernel *kernel, struct mt_codeobj_arg *args,
				struct claim *claims, uint32_t count, uint64_t *argument_out)
{
	for (uint32_t i = 0; i < count; i++) {
		struct claim *claim = &claims[i];

		*argument_out = claim->argument;
		if (i + 1 < count && claim->argument < kernel->arg_count)
			narrow_unknown(args, claim, claim + 1);
		if (!mt_codeobj_within(claim->word, claim->count, kernel->uniform_reg_count))
			return "argument or immediate is outside the uniform registers";
		if (i + 1 < count && claim->word + claim->count > claim[1].word)
			return "two arguments or immediates share a uniform register";
	}
	for (uint32_t i = 0; i < kernel->arg_count; i++) {
		uint64_t align_b = args[i].indirect ? 8 : args[i].align_b;

		*argument_out = i;
		if (args[i].kind == MT_CODEOBJ_KIND_EXPLICIT && (args[i].word * 4ull) % align_b)
			return "parameter's register is not aligned";
	}
	return NULL;
}

/* Adds a parameter's copy to the list, or lengthens the last one. */
static void add_copy(struct mt_codeobj_copy *copies, uint32_t *count,
		     const struct mt_codeobj_param *param)
{
	struct mt_codeobj_copy *last = *count ? &copies[*count - 1] : NULL;

	if (last && last->packed_b + last->size_b == param->packed_b &&
	    last->image_b + last->size_b == param->image_b) {
		last->size_b += param->size_b;
		return;
	}
	copies[(*count)++] = (struct mt_codeobj_copy){
		.packed_b = param->packed_b,
		.image_b = param->image_b,
		.size_b = param->size_b,
	};
}

/* Places parameters in the packed struct and in the image, in declaration order. */
static const char *place_params(struct mt_codeobj_kernel *kernel, struct mt_codeobj_param *params,
				struct mt_codeobj_copy *copies, uint64_t *argument_out)
{
	uint64_t packed_b = 0, image_b = kernel->uniform_size_b, largest_b = 1;

	for (uint32_t i = 0; i < kernel->arg_count; i++) {
		const struct mt_codeobj_arg *arg = &kernel->args[i];
		struct mt_codeobj_param *param = &params[kernel->param_count];

		if (arg->kind != MT_CODEOBJ_KIND_EXPLICIT)
			continue;
		mt_codeobj_align(packed_b, arg->align_b, &packed_b);
		if (arg->align_b > largest_b)
			largest_b = arg->align_b;
		*param = (struct mt_codeobj_param){
			.arg = i,
			.size_b = arg->size_b,
			.packed_b = (uint32_t)packed_b,
			.image_b = arg->word * 4,
			.pair_b = UINT32_MAX,
		};
		if (arg->indirect) {
			mt_codeobj_align(image_b, MT_CODEOBJ_KERNARG_ALIGN_B, &image_b);
			param->pair_b = param->image_b;
			param->image_b = (uint32_t)image_b;
			image_b += arg->size_b;
			kernel->indirect_count++;
		}
		packed_b += arg->size_b;
		if (packed_b > MT_CODEOBJ_PARAMS_MAX_B) {
			*argument_out = i;
			return "parameters are too large together";
		}
		add_copy(copies, &kernel->copy_count, param);
		kernel->param_count++;
	}
	kernel->packed_end_b = (uint32_t)packed_b;
	mt_codeobj_align(packed_b, largest_b, &packed_b);
	kernel->packed_size_b = (uint32_t)packed_b;
	kernel->kernarg_size_b = (uint32_t)image_b;
	return NULL;
}

static bool list_hidden(struct mt_codeobj_loader *loader, struct mt_codeobj_kernel *kernel)
{
	struct mt_codeobj_hidden *hidden;
	uint32_t count = 0;

	hidden = mt_arena_alloc(loader->arena, (kernel->arg_count + 1ull) * sizeof(*hidden), 4);
	if (!hidden)
		return false;
	for (uint32_t i = 0; i < kernel->arg_count; i++) {
		const struct mt_codeobj_arg *arg = &kernel->args[i];

		/* Outputs of the constant-calculation program are not filled at launch. */
		if (arg->reg_bank == MT_CODEOBJ_BANK_KERNARG && arg->word_count &&
		    arg->kind != MT_CODEOBJ_KIND_EXPLICIT &&
		    arg->kind != MT_CODEOBJ_KIND_CONST_CALC)
			hidden[count++] = (struct mt_codeobj_hidden){
				.kind = arg->kind,
				.word = arg->word,
				.word_count = arg->word_count,
			};
	}
	kernel->hidden = hidden;
	kernel->hidden_count = count;
	return true;
}

const char *mt_codeobj_kernarg_lay_out(struct mt_codeobj_loader *loader,
				       struct mt_codeobj_kernel *kernel, uint64_t *argument_out,
				       bool *no_memory_out)
{
	/* The list is this loader's until the code object is handed out. */
	struct mt_codeobj_arg *args = (struct mt_codeobj_arg *)(uintptr_t)kernel->args;
	struct mt_codeobj_param *params;
	struct mt_codeobj_copy *copies;
	uint32_t count, explicit_count = 0;
	struct claim *claims = collect_claims(loader, kernel, &count);
	const char *text;

	if (!claims)
		goto no_memory;
	text = check_claims(kernel, args, claims, count, argument_out);
	if (text)
		return text;
	for (uint32_t i = 0; i < kernel->arg_count; i++)
		explicit_count += args[i].kind == MT_CODEOBJ_KIND_EXPLICIT;
	params = mt_arena_alloc(loader->arena, (explicit_count + 1ull) * sizeof(*params), 4);
	copies = mt_arena_alloc(loader->arena, (explicit_count + 1ull) * sizeof(*copies), 4);
	if (!params || !copies || !list_hidden(loader, kernel))
		goto no_memory;
	kernel->uniform_size_b = kernel->uniform_reg_count * 4;
	text = place_params(kernel, params, copies, argument_out);
	kernel->params = params;
	kernel->copies = copies;
	return text;

no_memory:
	*no_memory_out = true;
	return NULL;
}
