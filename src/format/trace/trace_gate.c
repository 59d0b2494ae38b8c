/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_gate: see trace_gate.h. Functions move behind what they accept, or return false. */
#include "format/trace/trace_gate.h"

#include "base/mem.h"

#include <ctype.h>
#include <string.h>

#define DEPTH_MAX     64
#define OPERATORS_MAX 5000 /* the library's stack has a few frames for each */
#define WIDTH_DIGITS  3
#define NUMBER_DIGITS 20
#define INDEX_DIGITS  2
#define COUNT_DIGITS  4
#define NAME_BYTES    64

struct gate {
	const char *at;
	const struct wp_fields *fields;
	unsigned int depth, operators;
};

static bool pass_value(struct gate *g);

static void skip_gate_blanks(struct gate *g)
{
	g->at += strspn(g->at, " \t");
}

static bool take(struct gate *g, const char *word)
{
	skip_gate_blanks(g);
	if (!wp_str_has_prefix(g->at, word))
		return false;
	g->at += strlen(word);
	return true;
}

/* A name, copied; false: there is none, or it is too long. */
static bool take_gate_name(struct gate *g, char ret[NAME_BYTES])
{
	size_t n = 0;

	skip_gate_blanks(g);
	if (isdigit((unsigned char)*g->at))
		return false;
	while (isalnum((unsigned char)g->at[n]) || g->at[n] == '_')
		n++;
	if (!n || n >= NAME_BYTES)
		return false;
	memcpy(ret, g->at, n);
	ret[n] = '\0';
	g->at += n;
	return true;
}

/* What stands behind the '%' of a conversion: width and precision are short, or it is "%.*s"; and
 * which conversion is one that the library knows. */
static bool passes_conversion(const char *at)
{
	if (*at == '%')
		return true;
	at += strspn(at, "-+ #0");
	if (strspn(at, "0123456789") > WIDTH_DIGITS)
		return false;
	at += strspn(at, "0123456789");
	if (wp_str_has_prefix(at, ".*"))
		return at[2] == 's';
	if (*at == '.') {
		if (strspn(at + 1, "0123456789") > WIDTH_DIGITS)
			return false;
		at += 1 + strspn(at + 1, "0123456789");
	}
	for (size_t n = 0; n < 2 && *at && strchr("hlzLqjt", *at); n++)
		at++;
	return *at && strchr("diouxXscp", *at);
}

/* "text", also with escapes; conversions are looked at where it is a format. */
static bool pass_text(struct gate *g, bool is_format)
{
	if (!take(g, "\""))
		return false;
	for (; *g->at && *g->at != '"'; g->at++) {
		if ((unsigned char)*g->at < ' ' && *g->at != '\t')
			return false;
		if (*g->at == '\\' && g->at[1])
			g->at++;
		else if (*g->at == '%' && is_format) {
			if (!passes_conversion(g->at + 1))
				return false;
			g->at += g->at[1] == '%';
		}
	}
	return take(g, "\"");
}

/* 10, 0x1f, 5U, 1UL, 7ULL */
static bool pass_number(struct gate *g)
{
	bool hex = g->at[0] == '0' && (g->at[1] == 'x' || g->at[1] == 'X');
	const char *begin = g->at + (hex ? 2 : 0);
	size_t n = strspn(begin, hex ? "0123456789abcdefABCDEF" : "0123456789");

	if (!n || n > NUMBER_DIGITS)
		return false;
	g->at = begin + n;
	g->at += strspn(g->at, "uUlL");
	return !isalnum((unsigned char)*g->at) && *g->at != '_';
}

static bool is_type_word(const char *word)
{
	static const char *const words[] = {
		"unsigned", "signed", "int",	 "long",   "char",  "short", "u8",    "u16",
		"u32",	    "u64",    "s8",	 "s16",	   "s32",   "s64",   "__u8",  "__u16",
		"__u32",    "__u64",  "__s8",	 "__s16",  "__s32", "__s64", "void",  "const",
		"size_t",   "bool",   "ssize_t", "loff_t", "pid_t", "dev_t", "ino_t",
	};

	for (size_t i = 0; i < WP_ARRAY_LEN(words); i++)
		if (strcmp(words[i], word) == 0)
			return true;
	return wp_str_has_suffix(word, "_t"); /* gfp_t */
}

static bool pass_type_words(struct gate *g)
{
	const char *behind;
	char word[NAME_BYTES];
	bool any = false;

	for (behind = g->at; take_gate_name(g, word) && is_type_word(word); behind = g->at)
		any = true;
	g->at = behind;
	return any;
}

/* "(unsigned long long)", "(char *)": false, and nothing is passed, where it is no type. */
static bool pass_type(struct gate *g)
{
	const char *begin = g->at;
	char word[NAME_BYTES];
	bool any = false;

	if (take(g, "(")) {
		if (take(g, "struct "))
			any = take_gate_name(g, word);
		else
			any = pass_type_words(g);
		while (any && take(g, "*"))
			;
		if (any && take(g, ")"))
			return true;
	}
	g->at = begin;
	return false;
}

/* The field, of which there must be one. */
static const struct wp_field *pass_field(struct gate *g)
{
	char name[NAME_BYTES];

	return take(g, "REC->") && take_gate_name(g, name) ? wp_fields_find(g->fields, name) : NULL;
}

/* "REC->addr[5]": within the field. */
static bool pass_element(struct gate *g, const struct wp_field *field)
{
	size_t digits;

	if (!take(g, "["))
		return true;
	digits = strspn(g->at, "0123456789");
	if (!digits || digits > INDEX_DIGITS || !field->is_array || field->is_dynamic)
		return false;
	g->at += digits;
	return take(g, "]");
}

/* "(name)" of a field that is, or is not, dynamic. */
static bool pass_named(struct gate *g, bool relative)
{
	const struct wp_field *field;
	char name[NAME_BYTES];

	if (!take(g, "(") || !take_gate_name(g, name))
		return false;
	field = wp_fields_find(g->fields, name);
	return field && field->is_dynamic && field->is_relative == relative && take(g, ")");
}

static bool pass_relative(struct gate *g)
{
	return pass_named(g, true);
}

static bool pass_absolute(struct gate *g)
{
	return pass_named(g, false);
}

static bool passes_divisor(const struct gate *g);

/* "{ 0x1, "word" }, { 2, "other" })", behind the comma */
static bool pass_pairs(struct gate *g)
{
	while (take(g, "{")) {
		if (!pass_value(g) || !take(g, ",") ||
		    !(take(g, "((void *)0)") || pass_text(g, false)) || !take(g, "}"))
			return false;
		if (!take(g, ","))
			break;
	}
	return take(g, ")");
}

static bool pass_symbolic(struct gate *g)
{
	return take(g, "(") && pass_value(g) && take(g, ",") && pass_pairs(g);
}

static bool pass_flags(struct gate *g)
{
	return take(g, "(") && pass_value(g) && take(g, ",") && pass_text(g, false) &&
	       take(g, ",") && pass_pairs(g);
}

/* What arrays lie in: a dynamic field's bytes, or those of a field. */
static bool pass_array(struct gate *g)
{
	const struct wp_field *field;

	if (take(g, "__get_dynamic_array"))
		return pass_absolute(g);
	if (take(g, "__get_rel_dynamic_array"))
		return pass_relative(g);
	field = pass_field(g);
	return field && field->is_array && !field->is_dynamic;
}

/* How many elements: a small number, a u8 or u16 of the payload, or what the kernel says of a
 * dynamic array, which is a u16, too. */
static bool pass_count(struct gate *g)
{
	const struct wp_field *field;
	size_t digits;

	skip_gate_blanks(g);
	digits = strspn(g->at, "0123456789");
	if (digits) {
		g->at += digits;
		return digits <= COUNT_DIGITS;
	}
	if (take(g, "__get_dynamic_array_len") || take(g, "__get_rel_dynamic_array_len")) {
		bool relative = wp_str_has_prefix(g->at - strlen("rel_dynamic_array_len"), "rel_");

		return pass_named(g, relative) &&
		       (!take(g, "/") || (passes_divisor(g) && pass_value(g)));
	}
	field = pass_field(g);
	return field && wp_field_is_number(field) && field->size <= 2 && !field->is_signed;
}

static bool pass_hex(struct gate *g)
{
	return take(g, "(") && pass_array(g) && take(g, ",") && pass_count(g) && take(g, ")");
}

static bool pass_numbers(struct gate *g)
{
	return take(g, "(") && pass_array(g) && take(g, ",") && pass_count(g) && take(g, ",") &&
	       pass_value(g) && take(g, ")");
}

static bool pass_sizeof(struct gate *g)
{
	return pass_type(g);
}

static const struct {
	const char *name;
	bool (*pass)(struct gate *g);
} functions[] = {
	{"__get_str", pass_absolute},
	{"__get_rel_str", pass_relative},
	{"__get_bitmask", pass_absolute},
	{"__get_dynamic_array_len", pass_absolute},
	{"__get_rel_dynamic_array_len", pass_relative},
	{"__print_symbolic", pass_symbolic},
	{"__print_flags", pass_flags},
	{"__print_hex", pass_hex},
	{"__print_hex_str", pass_hex},
	{"__print_array", pass_numbers},
	{"sizeof", pass_sizeof},
};

/* Or a constant of the kernel's, which the library takes for 0. */
static bool pass_function(struct gate *g)
{
	char name[NAME_BYTES];

	if (!take_gate_name(g, name))
		return false;
	for (size_t i = 0; i < WP_ARRAY_LEN(functions); i++)
		if (strcmp(functions[i].name, name) == 0)
			return functions[i].pass(g);
	skip_gate_blanks(g);
	return *g->at != '(' && strcmp(name, "REC") != 0;
}

static bool pass_primary(struct gate *g)
{
	skip_gate_blanks(g);
	if (isdigit((unsigned char)*g->at))
		return pass_number(g);
	if (*g->at == '"')
		return pass_text(g, false);
	if (g->at[0] == '\'' && isalnum((unsigned char)g->at[1]) && g->at[2] == '\'') {
		g->at += 3;
		return true;
	}
	if (wp_str_has_prefix(g->at, "REC->")) {
		const struct wp_field *field = pass_field(g);

		return field && pass_element(g, field);
	}
	if (*g->at != '(')
		return pass_function(g);
	return take(g, "(") && pass_value(g) && take(g, ")");
}

/* Signs and casts before a value are operators, too. */
static bool pass_unary(struct gate *g)
{
	for (;;) {
		skip_gate_blanks(g);
		if (++g->operators > OPERATORS_MAX)
			return false;
		if (*g->at && strchr("-!~+", *g->at) && g->at[1] != *g->at)
			g->at++;
		else if (!pass_type(g))
			return pass_primary(g);
	}
}

/* Behind '/' or '%': a number that is not 0, or the size of something. */
static bool passes_divisor(const struct gate *g)
{
	const char *at = g->at + strspn(g->at, " ");

	return wp_str_has_prefix(at, "sizeof(") || (*at >= '1' && *at <= '9');
}

/* One, or false. */
static bool take_operator(struct gate *g)
{
	static const char *const all[] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "<",
					  ">",	"&",  "|",  "^",  "+",	"-",  "*",  "/",  "%"};

	for (size_t i = 0; i < WP_ARRAY_LEN(all); i++)
		if (take(g, all[i]))
			return true;
	return false;
}

static bool pass_operand_chain(struct gate *g)
{
	while (pass_unary(g)) {
		if (!take_operator(g))
			return true;
		if ((g->at[-1] == '/' || g->at[-1] == '%') && !passes_divisor(g))
			return false;
	}
	return false;
}

static bool pass_value(struct gate *g)
{
	bool good;

	if (++g->depth > DEPTH_MAX)
		return false;
	good = pass_operand_chain(g);
	if (good && take(g, "?"))
		good = pass_value(g) && take(g, ":") && pass_value(g);
	g->depth--;
	return good;
}

bool wp_trace_gate_passes(const char *print, const struct wp_fields *fields)
{
	struct gate g = {.at = print, .fields = fields};

	if (!pass_text(&g, true))
		return false;
	while (take(&g, ","))
		if (!pass_value(&g))
			return false;
	skip_gate_blanks(&g);
	return !*g.at;
}
