/* SPDX-License-Identifier: MIT */
/*
 * Sample kernels and the helpers that load built objects.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/codeobj/samples.h"

#define BLOCK_INDEX                                                                               \
	COB_ARG(5, 0, 5, 0, 4, 0, 0, "blockIdx.x") ","                                            \
	COB_ARG(6, 0, 5, 1, 4, 0, 0, "blockIdx.y") ","                                            \
	COB_ARG(7, 0, 5, 2, 4, 0, 0, "blockIdx.z") ","
#define THREAD_INDEX(y, z)                                                                        \
	COB_ARG(1, 0, 2, 0, 4, 0, 0, "threadIdx.x") ","                                           \
	COB_ARG(2, 0, 2, y, 4, 0, 0, "threadIdx.y") ","                                           \
	COB_ARG(3, 0, 2, z, 4, 0, 0, "threadIdx.z")
#define SPILL                                                                                     \
	COB_ARG(19, 0, 3, 0, 8, 0, 18, "Global Spill Base") ","                                   \
	COB_ARG(23, 0, 3, 2, 4, 0, 7, "Core Number")
/* The 31 keys of a compiled kernel map that do not differ here, or by the macro's columns. */
#define SCALARS(attr, atomics, barrier, barrier_coef, calc, internal, shared, regs, slots, temp,   \
		wave)                                                                             \
	"\".async_bar_count\":0,\".attr_reg_count\":" #attr ",\".attrs\":{},\".barrier_coef\":"   \
	#barrier_coef ",\".call_flag\":false,\".clusterX\":0,\".clusterY\":0,\".clusterZ\":0,"    \
	"\".coef_reg_count\":0,\".const_calc_kernel\":\"" calc "\","                              \
	"\".constcalc_attr_reg_count\":0,\".constcalc_temp_reg_count\":0,"                        \
	"\".global_atomic_count\":" #atomics ",\".has_barrier\":" #barrier ","                    \
	"\".has_cluster_barrier\":false,\".has_sqmma_conv\":false,\".has_texture\":false,"        \
	"\".internal_reg_count\":" #internal ",\".local_mem_used_in_cluster\":0,"                 \
	"\".max_block_size\":1,\".private_memory_size\":0,"                                       \
	"\".shared_atomic_lock_idx\":4294967295,\".shared_memory_size\":" #shared                 \
	",\".shared_reg_count\":" #regs ",\".slot_reg_count\":" #slots ",\".temp_reg_count\":"    \
	#temp ",\".wave_mode\":" #wave
#define KERNEL(name, arch, args, imms, scalars)                                                   \
	"{\".name\":\"" name "\",\".arch_id\":" #arch ",\".args\":[" args "],\".imms\":[" imms    \
	"]," scalars "}"
#define FUNCTION(name, visibility, offset, size)                                                  \
	{name, STB_GLOBAL, STT_FUNC, visibility, COB_TEXT, offset, size}
#define ARRAY_LENGTH(a) (sizeof(a) / sizeof((a)[0]))

static const struct cob_symbol histogram_symbols[] = {
	FUNCTION("_Z20histogramCalculationPKiPiii", STV_PROTECTED, 0, 248),
};
const struct sample sample_histogram_22 = {
	"_Z20histogramCalculationPKiPiii", 220, "1,0",
	KERNEL("_Z20histogramCalculationPKiPiii", 220,
	       BLOCK_INDEX COB_ARG(9, 0, 3, 14, 4, 0, 0, "blockDim.x") ","
	       COB_ARG(18, 0, 3, 16, 8, 8, 14, "") "," COB_ARG(18, 0, 3, 18, 8, 8, 14, "") ","
	       COB_ARG(18, 0, 3, 15, 4, 4, 6, "") "," COB_ARG(18, 2, 3, 20, 4, 4, 6, "") ","
	       THREAD_INDEX(1, 1) "," SPILL,
	       COB_IMM(21, 65536) "," COB_IMM(22, 262144) "," COB_IMM(23, 30) "," COB_IMM(24, 1),
	       SCALARS(2, 1, false, 4294967295, "", 2, 20, 25, 0, 3, 0)),
	histogram_symbols, ARRAY_LENGTH(histogram_symbols), 256, 0,
};

static const struct cob_symbol float_symbols[] = {
	FUNCTION("_Z6kernelfPfS_", STV_PROTECTED, 0, 4732),
};
const struct sample sample_float_31 = {
	"_Z6kernelfPfS_", 310, "1,0",
	KERNEL("_Z6kernelfPfS_", 310,
	       COB_ARG(18, 0, 3, 14, 4, 4, 8, "") "," COB_ARG(18, 0, 3, 16, 8, 8, 14, "") ","
	       COB_ARG(18, 0, 3, 18, 8, 8, 14, "") "," THREAD_INDEX(0, 0),
	       COB_IMM(20, 0) "," COB_IMM(21, 0) "," COB_IMM(22, 1023) "," COB_IMM(23, 19875) ","
	       COB_IMM(24, 125),
	       SCALARS(4, 0, false, 4294967295, "", 2, 12, 25, 0, 3, 1)),
	float_symbols, ARRAY_LENGTH(float_symbols), 4864, 0,
};

#define SCAN "_Z12parallelScanIsEvPKT_PS0_i"
static const struct cob_symbol scan_symbols[] = {
	FUNCTION(SCAN, STV_PROTECTED, 0, 572),
	FUNCTION(SCAN "_ConstCalcProg", STV_DEFAULT, 768, 28),
	{"llvm.musa.kernel." SCAN ".sm", STB_LOCAL, STT_OBJECT, STV_DEFAULT, COB_BSS, 0, 200},
};
const struct sample sample_scan_22 = {
	SCAN, 220, "1,0",
	KERNEL(SCAN, 220,
	       BLOCK_INDEX COB_ARG(9, 0, 3, 14, 4, 0, 0, "blockDim.x") ","
	       COB_ARG(18, 0, 3, 16, 8, 8, 14, "") "," COB_ARG(18, 0, 3, 18, 8, 8, 14, "") ","
	       COB_ARG(18, 0, 3, 15, 4, 4, 6, "") "," THREAD_INDEX(1, 1) "," SPILL ","
	       COB_ARG(25, 2, 3, 23, 4, 0, 0, "Const Calc Output") ","
	       COB_ARG(25, 2, 3, 24, 4, 0, 0, "Const Calc Output"),
	       COB_IMM(20, 65536) "," COB_IMM(21, 262144) "," COB_IMM(22, 18),
	       SCALARS(2, 0, true, 4, SCAN "_ConstCalcProg", 2, 220, 25, 0, 6, 0)),
	scan_symbols, ARRAY_LENGTH(scan_symbols), 1024, 200,
};

static const struct cob_symbol dynamic_symbols[] = {
	FUNCTION("_Z17parallelReductionPKfPfi", STV_PROTECTED, 0, 704),
	{"sdata", STB_LOCAL, STT_NOTYPE, STV_HIDDEN, COB_UNDEF, 0, 0},
};
const struct sample sample_dynamic_31 = {
	"_Z17parallelReductionPKfPfi", 310, "1,0",
	KERNEL("_Z17parallelReductionPKfPfi", 310,
	       BLOCK_INDEX COB_ARG(9, 0, 3, 14, 4, 0, 0, "blockDim.x") ","
	       COB_ARG(18, 0, 3, 16, 8, 8, 14, "") "," COB_ARG(18, 0, 3, 18, 8, 8, 14, "") ","
	       COB_ARG(18, 0, 3, 15, 4, 4, 6, "") "," THREAD_INDEX(0, 0),
	       COB_IMM(20, 0) "," COB_IMM(21, 0) "," COB_IMM(22, 1023) "," COB_IMM(23, 30),
	       SCALARS(4, 0, true, 4294967295, "", 2, 12, 24, 3, 4, 1)),
	dynamic_symbols, ARRAY_LENGTH(dynamic_symbols), 768, 0,
};

static const struct cob_symbol indirect_symbols[] = {
	FUNCTION("attention", STV_PROTECTED, 0, 64),
};
const struct sample sample_indirect_31 = {
	"attention", 310, "3,1",
	"{\".name\":\"attention\",\".arch_id\":310,\".args\":["
	COB_ARG(18, 0, 3, 0, 8, 8, 14, "output_ptr") ","
	COB_ARG(18, 0, 3, 2, 8, 8, 14, "outsl_ptr") ","
	COB_ARG(18, 0, 3, 4, 64, 64, 12, "q_desc_addr") ","
	COB_ARG(18, 0, 3, 6, 64, 64, 12, "key_desc_0_addr") ","
	COB_ARG(18, 0, 3, 16, 16, 16, 24, "input_mask_ptr") ","
	COB_ARG(18, 0, 3, 24, 4, 4, 8, "scale") "," COB_ARG(18, 0, 3, 27, 4, 4, 6, "batch") ","
	COB_ARG(18, 0, 3, 40, 8, 8, 9, "batch_stride_mask") ","
	COB_ARG(33, 0, 3, 60, 8, 0, 10, "prog_addr") ","
	COB_ARG(34, 0, 3, 62, 4, 0, 7, "prog_size") ","
	COB_ARG(13, 0, 3, 63, 4, 0, 0, "gridDim_x") ","
	COB_ARG(14, 0, 3, 64, 4, 0, 0, "gridDim_y") ","
	COB_ARG(15, 0, 3, 65, 4, 0, 0, "gridDim_z") ","
	COB_ARG(9, 0, 3, 66, 4, 0, 0, "blockDim_x") ","
	COB_ARG(19, 0, 3, 67, 8, 0, 18, "Global Spill Base") ","
	COB_ARG(23, 0, 3, 69, 4, 0, 7, "Core Number") ","
	COB_ARG(5, 0, 5, 4, 4, 0, 0, "blockIdx_x") ","
	COB_ARG(6, 0, 5, 5, 4, 0, 0, "blockIdx_y") ","
	COB_ARG(7, 0, 5, 6, 4, 0, 0, "blockIdx_z") ","
	COB_ARG(1, 0, 2, 0, 4, 0, 0, "threadIdx_x") ","
	COB_ARG(18, 0, 3, 110, 4, 4, 6, "tile_q_dims_0") ","
	COB_ARG(18, 0, 3, 111, 4, 4, 6, "tile_q_dims_1")
	"],\".imm_info\":{\".offset\":70,\".reg_bank\":3,\".size\":12,\".values\":[32,40,48]},"
	"\".shared_reg_count\":112,\".shared_memory_size\":196608,\".wave_mode\":1,"
	"\".max_block_size\":1}",
	indirect_symbols, ARRAY_LENGTH(indirect_symbols), 64, 0,
};

static const struct cob_symbol empty_symbols[] = {
	FUNCTION("_Z11EmptyKernelv", STV_PROTECTED, 0, 4),
};
const struct sample sample_empty_31 = {
	"_Z11EmptyKernelv", 310, "1,0",
	KERNEL("_Z11EmptyKernelv", 310, "", "",
	       SCALARS(0, 0, false, 4294967295, "", 0, 12, 0, 0, 0, 1)),
	empty_symbols, ARRAY_LENGTH(empty_symbols), 4, 0,
};
const struct sample sample_empty_22 = {
	"_Z11EmptyKernelv", 220, "1,0",
	KERNEL("_Z11EmptyKernelv", 220, SPILL, COB_IMM(14, 65536) "," COB_IMM(15, 262144),
	       SCALARS(0, 0, false, 4294967295, "", 0, 20, 16, 0, 0, 0)),
	empty_symbols, ARRAY_LENGTH(empty_symbols), 4, 0,
};

const struct sample *const samples[] = {
	&sample_histogram_22, &sample_float_31, &sample_scan_22, &sample_dynamic_31,
	&sample_indirect_31, &sample_empty_31, &sample_empty_22,
};
const size_t sample_count = ARRAY_LENGTH(samples);

void sample_elf(struct cob_buf *buf, const struct sample *sample, uint16_t type, uint32_t arch_id)
{
	uint32_t arch = arch_id ? arch_id : sample->arch_id;
	char *from = cob_format("\".arch_id\":%u", sample->arch_id);
	char *to = cob_format("\".arch_id\":%u", arch);
	char *map = cob_replace(sample->map, from, to);
	char *desc = cob_format(COB_DESC("%s", "%s"), map, sample->version);
	uint8_t *text = malloc(sample->text_size);
	struct cob_elf elf = {
		.type = type,
		.machine = arch == 900 ? 62 : 253,
		.metadata = desc,
		.text = text,
		.text_size = sample->text_size,
		.bss_size = sample->bss_size,
		.symbols = sample->symbols,
		.symbol_count = sample->symbol_count,
	};

	cr_assert(text);
	memset(text, 0xc3, sample->text_size);
	cob_elf(buf, &elf);
	free(from);
	free(to);
	free(map);
	free(desc);
	free(text);
}

void sample_bundle(struct cob_buf *buf, const struct sample *sample)
{
	static const uint32_t archs[] = {210, 220, 310, 900};
	struct cob_buf elfs[4] = {0};

	for (size_t i = 0; i < 4; i++)
		sample_elf(&elfs[i], sample, ET_DYN, archs[i]);
	cob_bundle(buf,
		   (const struct cob_member[]){{COB_ID_HOST, NULL},
					       {COB_ID_21, &elfs[0]},
					       {COB_ID_22, &elfs[1]},
					       {COB_ID_31, &elfs[2]},
					       {COB_ID_MOCK, &elfs[3]}},
		   5);
	for (size_t i = 0; i < 4; i++)
		cob_free(&elfs[i]);
}

const char sample_rich_metadata[] = COB_DESC(
	"{\".name\":\"alpha\",\".arch_id\":900,\".args\":["
	COB_ARG(9, 0, 3, 14, 4, 0, 0, "blockDim.x") ","
	COB_ARG(18, 0, 3, 16, 8, 8, 14, "to") ","
	COB_ARG(18, 2, 3, 15, 4, 4, 6, "count") ","
	COB_ARG(1, 0, 2, 0, 4, 0, 0, "threadIdx.x") ","
	COB_ARG(25, 2, 3, 20, 4, 0, 0, "Const Calc Output")
	"],\".imms\":[" COB_IMM(19, 7) "," COB_IMM(18, 6) "],\".const_calc_kernel\":"
	"\"alpha_ConstCalcProg\",\".shared_memory_size\":124,\".shared_reg_count\":21,"
	"\".temp_reg_count\":3,\".has_barrier\":true,\".attrs\":{}},"
	"{\".name\":\"beta\",\".arch_id\":900,\".args\":["
	COB_ARG(18, 0, 3, 2, 64, 64, 12, "descriptor") ","
	COB_ARG(18, 0, 3, 4, 8, 8, 9, "stride")
	"],\".imm_info\":{\".offset\":6,\".reg_bank\":3,\".size\":8,\".values\":[11,12]},"
	"\".shared_reg_count\":8}", "1,0");

static const struct cob_symbol rich_symbols[] = {
	FUNCTION("alpha", STV_PROTECTED, 0, 64),
	FUNCTION("alpha_ConstCalcProg", STV_DEFAULT, 256, 16),
	FUNCTION("beta", STV_PROTECTED, 512, 32),
	FUNCTION("not_a_kernel", STV_DEFAULT, 768, 16),
	{"llvm.musa.kernel.alpha.sm", STB_LOCAL, STT_OBJECT, STV_DEFAULT, COB_BSS, 0, 100},
	{"sdata", STB_LOCAL, STT_NOTYPE, STV_HIDDEN, COB_UNDEF, 0, 0},
	{"helper", STB_LOCAL, STT_FUNC, STV_DEFAULT, COB_TEXT, 800, 16},
	{"counter", STB_GLOBAL, STT_OBJECT, STV_PROTECTED, COB_DATA, 16, 8},
	{"table", STB_GLOBAL, STT_OBJECT, STV_PROTECTED, COB_BSS, 112, 64},
};
static const struct cob_reloc linked_relocs[] = {
	{COB_DATA, 32, R_X86_64_RELATIVE, NULL, 24, COB_DATA},
	{COB_DATA, 40, R_X86_64_64, "table", 8, COB_UNDEF},
	{COB_DATA, 48, R_X86_64_GLOB_DAT, "counter", 99, COB_UNDEF},
	{COB_DATA, 56, R_X86_64_JUMP_SLOT, "beta", 0, COB_UNDEF},
	{COB_DATA, 0, R_X86_64_NONE, NULL, 0, COB_UNDEF},
	{COB_DEBUG, 8, 77, "alpha", 0, COB_UNDEF},
};
static const struct cob_reloc unlinked_relocs[] = {
	{COB_TEXT, 4, R_X86_64_PC32, "counter", -4, COB_UNDEF},
	{COB_TEXT, 12, R_X86_64_PLT32, "helper", -4, COB_UNDEF},
	{COB_DATA, 40, R_X86_64_64, "table", 8, COB_UNDEF},
	{COB_DEBUG, 8, 77, "alpha", 0, COB_UNDEF},
};

void sample_rich_describe(struct cob_elf *elf, uint16_t type, uint16_t machine)
{
	static uint8_t text[1024], data[64];

	memset(text, 0xc3, sizeof(text));
	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)i;
	*elf = (struct cob_elf){
		.type = type,
		.machine = machine,
		.metadata = sample_rich_metadata,
		.text = text,
		.text_size = sizeof(text),
		.data = data,
		.data_size = sizeof(data),
		.bss_size = 256,
		.symbols = rich_symbols,
		.symbol_count = ARRAY_LENGTH(rich_symbols),
	};
	if (machine != 62)
		return;
	elf->relocs = type == ET_DYN ? linked_relocs : unlinked_relocs;
	elf->reloc_count =
		type == ET_DYN ? ARRAY_LENGTH(linked_relocs) : ARRAY_LENGTH(unlinked_relocs);
}

void sample_rich_with(struct cob_buf *buf, uint16_t type, uint16_t machine, const char *metadata)
{
	struct cob_elf elf;

	sample_rich_describe(&elf, type, machine);
	elf.metadata = metadata;
	cob_elf(buf, &elf);
}

void sample_rich(struct cob_buf *buf, uint16_t type, uint16_t machine)
{
	sample_rich_with(buf, type, machine, sample_rich_metadata);
}

static MUresult open_and_load(const struct cob_buf *image, uint32_t arch_id,
			      struct mt_codeobj **codeobj_out, struct mt_codeobj_reason *why)
{
	struct mt_codeobj_container *container;
	MUresult result = mt_codeobj_container_open_memory(image->data, 0, &container, why);

	if (result)
		return result;
	result = mt_codeobj_load(container, arch_id, codeobj_out, why);
	mt_codeobj_container_close(container);
	return result;
}

MUresult sample_try(const struct cob_buf *image, uint32_t arch_id, struct mt_codeobj_reason *why)
{
	struct mt_codeobj *codeobj = NULL;
	MUresult result = open_and_load(image, arch_id, &codeobj, why);

	mt_codeobj_destroy(codeobj);
	return result;
}

struct mt_codeobj *sample_load(const struct cob_buf *image, uint32_t arch_id)
{
	struct mt_codeobj_reason why = {0};
	struct mt_codeobj *codeobj = NULL;
	MUresult result = open_and_load(image, arch_id, &codeobj, &why);

	cr_assert_eq(result, MUSA_SUCCESS, "refused: %d %s at %s %llu '%s'", result,
		     why.text ? why.text : "", why.unit ? why.unit : "",
		     (unsigned long long)why.position, why.subject);
	return codeobj;
}

void sample_expect_reject(const struct cob_buf *image, const char *row, const char *text)
{
	struct mt_codeobj_reason why = {0};
	MUresult result = sample_try(image, MT_CODEOBJ_ARCH_MOCK, &why);

	cr_expect_eq(result, MUSA_ERROR_INVALID_IMAGE, "%s: result %d", row, result);
	cr_expect_str_eq(why.text ? why.text : "", text, "%s: '%s' instead of '%s' (%s %llu)", row,
			 why.text ? why.text : "", text, why.unit ? why.unit : "",
			 (unsigned long long)why.position);
}

void sample_expect_accept(const struct cob_buf *image, uint32_t arch_id, const char *row)
{
	struct mt_codeobj_reason why = {0};
	MUresult result = sample_try(image, arch_id, &why);

	cr_expect_eq(result, MUSA_SUCCESS, "%s: refused: %d %s at %s %llu '%s'", row, result,
		     why.text ? why.text : "", why.unit ? why.unit : "",
		     (unsigned long long)why.position, why.subject);
}
