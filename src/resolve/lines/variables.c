/* SPDX-License-Identifier: BSD-3-Clause */
/* variables: see variables.h. */
#include "resolve/lines/variables.h"

#include "resolve/lines/dwarf_entry.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ENTRIES (1u << 20) /* of one function */
#define MAX_DEPTH   64	       /* of blocks in blocks, and of types that are names of types */
#define LISTED	    8	       /* names that a message tells */

#define SP_X86_64 7
#define SP_ARM64  31

struct variable_search {
	const struct wp_variable_query *query;
	struct wp_variable *ret;
	Dwarf_Addr at;	/* of the instruction, as the debug information has it */
	uint64_t shift; /* of the program's addresses over these */
	Dwarf_Die function, die;
	bool has_function, in_prologue;
	unsigned int found; /* depth of the block that has `die` + 1; 0: none has */
	unsigned int left, listed;
};

static void say_variable(struct variable_search *search, const char *text)
{
	snprintf(search->ret->text, sizeof(search->ret->text), "%s", text);
}

/* ---- the function, and the entry of the name ---- */

static int match_function(Dwarf_Die *die, void *arg)
{
	struct variable_search *search = arg;

	if (dwarf_haspc(die, search->at) != 1)
		return DWARF_CB_OK;
	search->function = *die;
	search->has_function = true;
	return DWARF_CB_ABORT;
}

static void list_name(struct variable_search *search, const char *name)
{
	char *text = search->ret->text;
	size_t used = strlen(text);

	if (search->listed++ < LISTED && used + strlen(name) + 3 < sizeof(search->ret->text))
		snprintf(text + used, sizeof(search->ret->text) - used, "%s%s", used ? ", " : "",
			 name);
}

/* The innermost block's hides those around it. */
static void look_in_scope(struct variable_search *search, Dwarf_Die *scope, unsigned int depth)
{
	Dwarf_Die child;

	if (depth > MAX_DEPTH || dwarf_child(scope, &child) != 0)
		return;
	do {
		int tag = dwarf_tag(&child);
		const char *name;

		if (tag == DW_TAG_lexical_block && dwarf_haspc(&child, search->at) == 1)
			look_in_scope(search, &child, depth + 1);
		if (tag != DW_TAG_formal_parameter && tag != DW_TAG_variable)
			continue;
		name = wp_dwarf_entry_text(&child, DW_AT_name);
		if (!name)
			continue;
		list_name(search, name);
		if (strcmp(name, search->query->name) != 0 || depth < search->found)
			continue;
		search->die = child;
		search->found = depth + 1;
	} while (search->left-- && dwarf_siblingof(&child, &child) == 0);
}

/* ---- its type ---- */

/* Without its names, const and volatile; false: it is void, or none. */
static bool plain_type_of(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Die type;

	return dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, &type) &&
	       dwarf_peel_type(&type, ret) == 0 && wp_dwarf_entry_is_whole(ret);
}

static Dwarf_Word die_number(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	Dwarf_Word value = 0;

	return dwarf_attr_integrate(die, name, &attr) && dwarf_formudata(&attr, &value) == 0 ? value
											     : 0;
}

static bool is_float(Dwarf_Die *type)
{
	Dwarf_Word encoding = die_number(type, DW_AT_encoding);

	return dwarf_tag(type) == DW_TAG_base_type &&
	       (encoding == DW_ATE_float || encoding == DW_ATE_complex_float ||
		encoding == DW_ATE_imaginary_float || encoding == DW_ATE_decimal_float);
}

static bool is_pointer(int tag)
{
	return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
	       tag == DW_TAG_rvalue_reference_type;
}

/* `char *` */
static bool leads_to_text(Dwarf_Die *pointer)
{
	Dwarf_Word encoding;
	Dwarf_Die type;

	if (dwarf_tag(pointer) != DW_TAG_pointer_type || !plain_type_of(pointer, &type) ||
	    dwarf_tag(&type) != DW_TAG_base_type || die_number(&type, DW_AT_byte_size) != 1)
		return false;
	encoding = die_number(&type, DW_AT_encoding);
	return encoding == DW_ATE_signed_char || encoding == DW_ATE_unsigned_char;
}

/* A number or an address of at most 8 bytes: its size; 0: it is something else. */
static uint8_t number_size(Dwarf_Die *type, bool *ret_signed)
{
	Dwarf_Word size = die_number(type, DW_AT_byte_size);
	Dwarf_Word encoding = die_number(type, DW_AT_encoding);
	int tag = dwarf_tag(type);

	*ret_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
	if (is_pointer(tag))
		size = size ? size : 8;
	else if ((tag != DW_TAG_base_type && tag != DW_TAG_enumeration_type) || is_float(type))
		size = 0;
	return size == 1 || size == 2 || size == 4 || size == 8 ? (uint8_t)size : 0;
}

static const char *kind_of_type(Dwarf_Die *type)
{
	switch (dwarf_tag(type)) {
	case DW_TAG_structure_type: return "a struct";
	case DW_TAG_class_type: return "a class";
	case DW_TAG_union_type: return "a union";
	case DW_TAG_array_type: return "an array";
	case DW_TAG_base_type: return is_float(type) ? "a floating-point number" : "no integer";
	default: return "no integer";
	}
}

/* False: no number, which `text` says. */
static bool read_variable_type(struct variable_search *search)
{
	struct wp_variable *ret = search->ret;
	const char *name;
	Dwarf_Die type;

	ret->operand.index = WP_OPERAND_NO_REG;
	if (!plain_type_of(&search->die, &type)) {
		say_variable(search, "of no known type");
		return false;
	}
	ret->operand.size = number_size(&type, &ret->operand.is_signed);
	ret->is_text = leads_to_text(&type);
	if (ret->operand.size)
		return true;
	name = wp_dwarf_entry_text(&type, DW_AT_name);
	snprintf(ret->text, sizeof(ret->text), "%s%s%s%s", kind_of_type(&type), name ? " (" : "",
		 name ? name : "", name ? ")" : "");
	return false;
}

/* ---- its place ---- */

static bool set_memory(struct variable_search *search, uint64_t base, uint64_t offset)
{
	if (base >= WP_OPERAND_NO_REG)
		return false;
	search->ret->operand.kind = WP_OPERAND_MEMORY;
	search->ret->operand.base = (uint8_t)base;
	search->ret->operand.value = (int64_t)offset;
	return true;
}

/* A register and a distance, as one operation says them. */
static bool read_base(const Dwarf_Op *op, uint64_t *ret_base, uint64_t *ret_offset)
{
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
		*ret_base = op->atom - DW_OP_breg0;
		*ret_offset = op->number;
	} else if (op->atom == DW_OP_bregx) {
		*ret_base = op->number;
		*ret_offset = op->number2;
	} else {
		return false;
	}
	return true;
}

/* Where the frame begins (CFA), by the program's own unwind table. */
static bool find_frame(struct variable_search *search, uint64_t *ret_base, uint64_t *ret_offset)
{
	Dwarf_CFI *cfi = dwarf_getcfi_elf(search->query->program);
	Dwarf_Frame *frame = NULL;
	Dwarf_Op *ops = NULL;
	size_t n = 0;
	bool found = cfi && dwarf_cfi_addrframe(cfi, search->query->rva.v, &frame) == 0 &&
		     dwarf_frame_cfa(frame, &ops, &n) == 0 && n == 1 &&
		     read_base(&ops[0], ret_base, ret_offset);

	free(frame);
	if (cfi)
		dwarf_cfi_end(cfi);
	return found;
}

static bool is_at_function_entry(struct variable_search *search)
{
	Dwarf_Addr entry;

	return dwarf_entrypc(&search->function, &entry) == 0 && entry == search->at;
}

/* Behind the first instruction, and in front of those of the function's body. */
static bool is_in_prologue(struct variable_search *search)
{
	Dwarf_Addr *bodies = NULL;
	int n = is_at_function_entry(search) ? 0
					     : dwarf_entry_breakpoints(&search->function, &bodies);
	bool inside = n > 0 && search->at < bodies[0];

	free(bodies);
	return inside;
}

/* The registers for numbers in front of the parameter are taken by those before it. */
static bool count_passed(struct variable_search *search, uint32_t *ret)
{
	Dwarf_Off own = dwarf_dieoffset(&search->die);
	Dwarf_Die child, type;
	bool is_signed;

	*ret = 1;
	if (dwarf_child(&search->function, &child) != 0)
		return false;
	do {
		if (dwarf_tag(&child) != DW_TAG_formal_parameter)
			continue;
		if (dwarf_dieoffset(&child) == own)
			return true;
		if (!plain_type_of(&child, &type))
			return false;
		if (number_size(&type, &is_signed))
			++*ret;
		else if (!is_float(&type))
			return false; /* a struct takes none, one or two, or is a pointer to it */
		else
			*ret += search->query->windows;
	} while (search->left-- && dwarf_siblingof(&child, &child) == 0);
	return false;
}

/*
 * Where the function begins its parameters still lie where the caller has put them, and not yet in
 * the memory that the debug information of unoptimised code knows them in.
 */
static enum wp_variable_answer find_passed_parameter(struct variable_search *search)
{
	Dwarf_Word convention = die_number(&search->function, DW_AT_calling_convention);
	Dwarf_Die result;

	if (dwarf_tag(&search->die) != DW_TAG_formal_parameter)
		return WP_VARIABLE_UNBORN;
	if (convention > DW_CC_normal) {
		say_variable(search, "a calling convention of its own");
		return WP_VARIABLE_TANGLED;
	}
	if (!search->query->arm64 && plain_type_of(&search->function, &result) &&
	    (dwarf_tag(&result) == DW_TAG_structure_type ||
	     dwarf_tag(&result) == DW_TAG_class_type || dwarf_tag(&result) == DW_TAG_union_type)) {
		say_variable(search, "a function that returns a struct");
		return WP_VARIABLE_TANGLED;
	}
	if (count_passed(search, &search->ret->nth))
		return WP_VARIABLE_PASSED;
	say_variable(search, "a parameter behind a struct");
	return WP_VARIABLE_TANGLED;
}

/* Memory at that distance from what the function calls its frame. */
static enum wp_variable_answer read_frame_place(struct variable_search *search, uint64_t distance)
{
	uint64_t base, offset;
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;
	bool entry = is_at_function_entry(search);

	if (!dwarf_attr_integrate(&search->function, DW_AT_frame_base, &attr) ||
	    dwarf_getlocation_addr(&attr, search->at, &ops, &n, 1) != 1 || n != 1)
		return WP_VARIABLE_AWAY;
	if (entry && (ops[0].atom != DW_OP_call_frame_cfa || (int64_t)distance < 0))
		return find_passed_parameter(search);
	if (search->in_prologue)
		return WP_VARIABLE_UNBORN;
	if (ops[0].atom == DW_OP_call_frame_cfa && entry) {
		base = search->query->arm64 ? SP_ARM64 : SP_X86_64;
		offset = search->query->arm64 ? 0 : 8; /* the return address lies between */
	} else if (ops[0].atom == DW_OP_call_frame_cfa) {
		if (!find_frame(search, &base, &offset)) {
			say_variable(search, "a frame that no unwind table describes");
			return WP_VARIABLE_TANGLED;
		}
	} else if (ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31) {
		base = ops[0].atom - DW_OP_reg0;
		offset = 0;
	} else if (!read_base(&ops[0], &base, &offset)) {
		snprintf(search->ret->text, sizeof(search->ret->text), "a frame of DW_OP 0x%02x",
			 ops[0].atom);
		return WP_VARIABLE_TANGLED;
	}
	return set_memory(search, base, offset + distance) ? WP_VARIABLE_FOUND
							   : WP_VARIABLE_TANGLED;
}

static const char *operation_name(uint8_t atom)
{
	switch (atom) {
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value: return "DW_OP_entry_value: what it was when it was called";
	case DW_OP_implicit_value: return "DW_OP_implicit_value";
	case DW_OP_implicit_pointer:
	case DW_OP_GNU_implicit_pointer: return "DW_OP_implicit_pointer";
	case DW_OP_form_tls_address:
	case DW_OP_GNU_push_tls_address: return "a thread's own storage";
	default: return NULL;
	}
}

static enum wp_variable_answer refuse_place(struct variable_search *search, const Dwarf_Op *ops,
					    size_t n)
{
	const char *name = NULL;

	for (size_t i = 0; i < n && !name; i++)
		name = operation_name(ops[i].atom);
	if (name)
		say_variable(search, name);
	else
		snprintf(search->ret->text, sizeof(search->ret->text),
			 "an expression of %zu operation%s that begins with DW_OP 0x%02x", n,
			 n == 1 ? "" : "s", ops[0].atom);
	return WP_VARIABLE_TANGLED;
}

/* A value that the compiler knew: DW_OP_lit3 DW_OP_stack_value. */
static bool read_constant(const Dwarf_Op *ops, size_t n, int64_t *ret)
{
	uint8_t atom = ops[0].atom;

	if (n != 2 || ops[1].atom != DW_OP_stack_value)
		return false;
	if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31)
		*ret = atom - DW_OP_lit0;
	else if ((atom >= DW_OP_const1u && atom <= DW_OP_const8s) || atom == DW_OP_constu ||
		 atom == DW_OP_consts)
		*ret = (int64_t)ops[0].number;
	else
		return false;
	return true;
}

/* At a fixed address of the program; clang keeps these in a table of their own. */
static bool read_fixed_address(Dwarf_Attribute *attr, const Dwarf_Op *op, Dwarf_Addr *ret)
{
	Dwarf_Attribute indexed;

	if (op->atom == DW_OP_addr) {
		*ret = op->number;
		return true;
	}
	return (op->atom == DW_OP_addrx || op->atom == DW_OP_GNU_addr_index) &&
	       dwarf_getlocation_attr(attr, op, &indexed) == 0 &&
	       dwarf_formaddr(&indexed, ret) == 0;
}

static enum wp_variable_answer read_variable_place(struct variable_search *search,
						   Dwarf_Attribute *attr, const Dwarf_Op *ops,
						   size_t n)
{
	struct wp_operand *operand = &search->ret->operand;
	uint8_t ip = search->query->arm64 ? WP_OPERAND_IP_ARM64 : WP_OPERAND_IP_X86_64;
	uint8_t atom = ops[0].atom;
	uint64_t base, offset;
	Dwarf_Addr fixed;

	if (read_constant(ops, n, &operand->value)) {
		operand->kind = WP_OPERAND_CONSTANT;
		return WP_VARIABLE_FOUND;
	}
	if (n != 1)
		return refuse_place(search, ops, n);
	if ((atom >= DW_OP_reg0 && atom <= DW_OP_reg31) ||
	    (atom == DW_OP_regx && ops[0].number < WP_OPERAND_NO_REG)) {
		operand->kind = WP_OPERAND_REGISTER;
		operand->base =
			atom == DW_OP_regx ? (uint8_t)ops[0].number : (uint8_t)(atom - DW_OP_reg0);
		return WP_VARIABLE_FOUND;
	}
	if (atom == DW_OP_fbreg)
		return read_frame_place(search, ops[0].number);
	if (read_fixed_address(attr, &ops[0], &fixed) &&
	    set_memory(search, ip, fixed + search->shift - search->query->rva.v))
		return WP_VARIABLE_FOUND;
	if (read_base(&ops[0], &base, &offset) && set_memory(search, base, offset))
		return WP_VARIABLE_FOUND;
	return refuse_place(search, ops, n);
}

static enum wp_variable_answer find_variable_place(struct variable_search *search)
{
	Dwarf_Attribute attr;
	Dwarf_Sword value;
	Dwarf_Op *ops;
	size_t n;

	if (dwarf_attr_integrate(&search->die, DW_AT_const_value, &attr) &&
	    dwarf_formsdata(&attr, &value) == 0) {
		search->ret->operand.kind = WP_OPERAND_CONSTANT;
		search->ret->operand.value = value;
		return WP_VARIABLE_FOUND;
	}
	if (!dwarf_attr_integrate(&search->die, DW_AT_location, &attr) ||
	    dwarf_getlocation_addr(&attr, search->at, &ops, &n, 1) != 1 || !n)
		return WP_VARIABLE_AWAY;
	return read_variable_place(search, &attr, ops, n);
}

enum wp_variable_answer wp_variable_find(struct wp_srclines *lines,
					 const struct wp_variable_query *query,
					 struct wp_variable *ret)
{
	struct variable_search search = {.query = query, .ret = ret, .left = MAX_ENTRIES};
	Dwarf_Die unit;

	*ret = (struct wp_variable){0};
	if (!wp_srclines_unit(lines, query->rva, &unit, &search.at))
		return WP_VARIABLE_NO_FUNCTION;
	search.shift = query->rva.v - search.at;
	dwarf_getfuncs(&unit, match_function, &search, 0);
	if (!search.has_function || !wp_dwarf_entry_is_whole(&search.function))
		return WP_VARIABLE_NO_FUNCTION;
	look_in_scope(&search, &search.function, 0);
	if (!search.found)
		return WP_VARIABLE_NONE;
	ret->text[0] = '\0';
	if (!read_variable_type(&search))
		return WP_VARIABLE_NO_NUMBER;
	search.in_prologue = wp_srclines_may_decode(lines, &unit) && is_in_prologue(&search);
	return find_variable_place(&search);
}
