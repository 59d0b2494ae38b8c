/* SPDX-License-Identifier: BSD-3-Clause */
/* undname_type: the half of undname that reads types; see undname_parser.h. */
#include "base/str.h"
#include "format/pdb/undname_parser.h"

#include <ctype.h>
#include <string.h>

static const struct {
	const char *code, *name;
} plain_types[] = {
	{"$$T", "std::nullptr_t"},
	{"X", "void"},
	{"C", "signed char"},
	{"D", "char"},
	{"E", "unsigned char"},
	{"F", "short"},
	{"G", "unsigned short"},
	{"H", "int"},
	{"I", "unsigned int"},
	{"J", "long"},
	{"K", "unsigned long"},
	{"M", "float"},
	{"N", "double"},
	{"O", "long double"},
	{"_D", "__int8"},
	{"_E", "unsigned __int8"},
	{"_F", "__int16"},
	{"_G", "unsigned __int16"},
	{"_H", "__int32"},
	{"_I", "unsigned __int32"},
	{"_J", "__int64"},
	{"_K", "unsigned __int64"},
	{"_L", "__int128"},
	{"_M", "unsigned __int128"},
	{"_N", "bool"},
	{"_P", "auto"},
	{"_Q", "char8_t"},
	{"_S", "char16_t"},
	{"_T", "decltype(auto)"},
	{"_U", "char32_t"},
	{"_W", "wchar_t"},
};

static const struct {
	char first;
	const char *name;
} conventions[] = {
	{'A', "__cdecl"},     {'C', "__pascal"},	 {'E', "__thiscall"}, {'G', "__stdcall"},
	{'I', "__fastcall"},  {'M', "__clrcall"},	 {'O', "__eabi"},     {'Q', "__vectorcall"},
	{'S', "__swiftcall"}, {'W', "__swiftasynccall"}, {'w', "__regcall"},
};

static const struct wp_undname_type nothing = {"", ""};

static struct wp_undname_type fail_type(struct wp_undname_parser *p)
{
	wp_undname_fail(p);
	return nothing;
}

/* " const" and so on; those of members have letters of their own. */
static const char *read_quals(struct wp_undname_parser *p)
{
	static const char letters[] = "ABCDQRST";
	static const char *const words[] = {"", " const", " volatile", " const volatile"};
	const char *found = *p->at ? strchr(letters, *p->at) : NULL;

	if (!found)
		return wp_undname_fail(p);
	p->at++;
	return words[(found - letters) % 4];
}

/* __ptr64, __unaligned, __restrict: not shown. */
static void skip_extended(struct wp_undname_parser *p)
{
	while (*p->at == 'E' || *p->at == 'F' || *p->at == 'I')
		p->at++;
}

static const char *read_convention(struct wp_undname_parser *p)
{
	char c = *p->at;

	for (size_t i = 0; c && i < WP_ARRAY_LEN(conventions); i++)
		if (c == conventions[i].first || (c == conventions[i].first + 1 && c < 'Q')) {
			p->at++;
			return conventions[i].name;
		}
	return wp_undname_fail(p);
}

static struct wp_undname_type read_param(struct wp_undname_parser *p)
{
	struct wp_undname_lists *lists = &p->lists;
	const char *begin = p->at;
	int n = *begin - '0';

	if (isdigit((unsigned char)*begin)) {
		p->at++;
		return n < lists->n_params ? lists->params[n] : fail_type(p);
	}
	struct wp_undname_type type = wp_undname_type(p, WP_UNDNAME_PLAIN);
	if (!p->failed && p->at - begin > 1 && lists->n_params < WP_UNDNAME_BACK)
		lists->params[lists->n_params++] = type;
	return type;
}

static const char *add_to_list(struct wp_undname_parser *p, const char *list, const char *pre,
			       const char *post)
{
	return wp_undname_print(p, "%s%s%s%s", list, *list ? "," : "", pre, post);
}

/* "(int,char)" with its parentheses. */
static const char *read_params(struct wp_undname_parser *p)
{
	const char *list = "";

	if (!wp_undname_take(p, "X")) {
		while (!p->failed && *p->at && *p->at != '@' && *p->at != 'Z') {
			struct wp_undname_type type = read_param(p);

			list = add_to_list(p, list, type.pre, type.post);
		}
		if (wp_undname_take(p, "Z"))
			list = add_to_list(p, list, "...", "");
		else if (!wp_undname_take(p, "@"))
			wp_undname_fail(p);
	} else {
		list = "void";
	}
	if (!wp_undname_take(p, "_E") && !wp_undname_take(p, "Z"))
		wp_undname_fail(p);
	return wp_undname_print(p, "(%s)", list);
}

/* A function's type around what is to be written in front of its parameters. */
static struct wp_undname_type read_function_type(struct wp_undname_parser *p, bool is_member,
						 const char **ret_convention)
{
	struct wp_undname_type result = nothing;
	const char *quals = "";

	if (is_member) {
		skip_extended(p);
		if (*p->at == 'G' || *p->at == 'H')
			p->at++; /* & and && */
		quals = read_quals(p);
	}
	*ret_convention = read_convention(p);
	if (!wp_undname_take(p, "@"))
		result = wp_undname_type(p, WP_UNDNAME_RESULT);
	const char *params = read_params(p);
	return (struct wp_undname_type){result.pre,
					wp_undname_print(p, "%s%s%s", params, quals, result.post)};
}

struct wp_undname_type wp_undname_function(struct wp_undname_parser *p, bool is_member,
					   const char **ret_params)
{
	struct wp_undname_type result = nothing;

	if (!wp_undname_enter(p))
		return nothing;
	if (is_member) {
		skip_extended(p);
		if (*p->at == 'G' || *p->at == 'H')
			p->at++;
		read_quals(p);
	}
	read_convention(p);
	if (!wp_undname_take(p, "@"))
		result = wp_undname_type(p, WP_UNDNAME_RESULT);
	*ret_params = read_params(p);
	wp_undname_leave(p);
	return result;
}

/* "&", "* const" and so on; NULL when it is no pointer. */
static const char *read_pointer_kind(struct wp_undname_parser *p)
{
	if (wp_undname_take(p, "$$Q"))
		return "&&";
	if (wp_undname_take(p, "$$R"))
		return "&& volatile";
	switch (*p->at) {
	case 'A': p->at++; return "&";
	case 'B': p->at++; return "& volatile";
	case 'P': p->at++; return "*";
	case 'Q': p->at++; return "* const";
	case 'R': p->at++; return "* volatile";
	case 'S': p->at++; return "* const volatile";
	default: return NULL;
	}
}

/* "int (__cdecl*" and ")(char)"; in front of the star the class of a member. */
static struct wp_undname_type function_pointer(struct wp_undname_parser *p, const char *kind,
					       const char *class)
{
	const char *convention;
	struct wp_undname_type f = read_function_type(p, class, &convention);

	return (struct wp_undname_type){wp_undname_print(p, "%s (%s%s%s%s%s", f.pre, convention,
							 class ? " " : "", class ? class : "",
							 class ? "::" : "", kind),
					wp_undname_print(p, ")%s", f.post)};
}

/* A pointer to a type; arrays need parentheses around the star. */
static struct wp_undname_type pointer_to(struct wp_undname_parser *p, struct wp_undname_type to,
					 const char *quals, const char *class, const char *kind)
{
	bool array = to.post[0] == '[';
	/* Said twice of a pointer that is pointed to. */
	quals = wp_str_has_suffix(to.pre, quals) ? "" : quals;
	size_t len = strlen(to.pre);
	bool close = len && (to.pre[len - 1] == '*' || to.pre[len - 1] == '&') && !*quals;

	return (struct wp_undname_type){wp_undname_print(p, "%s%s%s%s%s%s%s", to.pre, quals,
							 close ? "" : " ", array ? "(" : "", class,
							 *class ? "::" : "", kind),
					array ? wp_undname_print(p, ")%s", to.post) : to.post};
}

/* What a pointer points to, behind its kind. */
static struct wp_undname_type read_pointer_type(struct wp_undname_parser *p, const char *kind)
{
	if (wp_undname_take(p, "6"))
		return function_pointer(p, kind, NULL);
	skip_extended(p);
	if (wp_undname_take(p, "8")) {
		const char *class = wp_undname_class(p);

		return function_pointer(p, kind, class);
	}
	bool member = *p->at && strchr("QRST", *p->at);
	const char *quals = read_quals(p), *class = member ? wp_undname_class(p) : "";
	struct wp_undname_type to = wp_undname_type(p, WP_UNDNAME_PLAIN);
	return pointer_to(p, to, quals, class, kind);
}

static struct wp_undname_type read_array(struct wp_undname_parser *p)
{
	const char *sizes = "", *quals = "";
	bool negative;
	uint64_t rank = wp_undname_number(p, &negative);

	if (negative || !rank || rank > 32)
		return fail_type(p);
	while (rank-- && !p->failed) {
		unsigned long long size = wp_undname_number(p, &negative);

		sizes = size ? wp_undname_print(p, "%s[%llu]", sizes, size)
			     : wp_undname_print(p, "%s[]", sizes);
	}
	if (wp_undname_take(p, "$$C"))
		quals = read_quals(p);
	struct wp_undname_type of = wp_undname_type(p, WP_UNDNAME_PLAIN);
	return (struct wp_undname_type){wp_undname_print(p, "%s%s", of.pre, quals),
					wp_undname_print(p, "%s%s", sizes, of.post)};
}

static struct wp_undname_type read_plain(struct wp_undname_parser *p)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(plain_types); i++)
		if (wp_undname_take(p, plain_types[i].code))
			return (struct wp_undname_type){plain_types[i].name, ""};
	return fail_type(p);
}

static struct wp_undname_type read_type(struct wp_undname_parser *p)
{
	const char *kind = NULL, *convention;

	if (*p->at == 'T' || *p->at == 'U' || *p->at == 'V' || wp_undname_take(p, "W4")) {
		p->at += *p->at == 'T' || *p->at == 'U' || *p->at == 'V';
		return (struct wp_undname_type){wp_undname_class(p), ""};
	}
	if (wp_undname_take(p, "$$A8@@"))
		return read_function_type(p, true, &convention);
	if (wp_undname_take(p, "$$A6"))
		return read_function_type(p, false, &convention);
	kind = read_pointer_kind(p);
	if (kind)
		return read_pointer_type(p, kind);
	if (wp_undname_take(p, "Y"))
		return read_array(p);
	if (wp_undname_take(p, "?")) {
		struct wp_undname_type type = {wp_undname_piece(p), ""};

		return wp_undname_take(p, "@") ? type : fail_type(p);
	}
	return read_plain(p);
}

struct wp_undname_type wp_undname_type(struct wp_undname_parser *p, enum wp_undname_quals how)
{
	struct wp_undname_type type;
	const char *quals = "";

	if (!wp_undname_enter(p))
		return nothing;
	if (how == WP_UNDNAME_QUALS || (how == WP_UNDNAME_RESULT && wp_undname_take(p, "?")))
		quals = read_quals(p);
	type = read_type(p);
	if (*quals)
		type.pre = wp_undname_print(p, "%s%s", type.pre, quals);
	wp_undname_leave(p);
	return type;
}

void wp_undname_variable(struct wp_undname_parser *p)
{
	char first = *p->at;
	bool pointer = first && (strchr("PQRSAB", first) || wp_str_has_prefix(p->at, "$$Q"));

	wp_undname_type(p, WP_UNDNAME_PLAIN);
	if (pointer)
		skip_extended(p);
	bool member = *p->at && strchr("QRST", *p->at);
	read_quals(p);
	if (pointer && member)
		wp_undname_class(p);
}

static const char *read_signed(struct wp_undname_parser *p)
{
	bool negative;
	unsigned long long value = wp_undname_number(p, &negative);

	return wp_undname_print(p, "%s%llu", negative ? "-" : "", value);
}

/* Numbers between braces, behind the symbol of a member if there is one. */
static const char *read_member(struct wp_undname_parser *p, int numbers)
{
	const char *list = "";

	if (*p->at == '?')
		list = wp_undname_print(p, "&%s", wp_undname_symbol(p));
	while (numbers-- > 0 && !p->failed)
		list = add_to_list(p, list, read_signed(p), "");
	return wp_undname_print(p, "{%s}", list);
}

/* What is behind a '$': a value. */
static const char *read_template_value(struct wp_undname_parser *p)
{
	char kind = *p->at;

	p->at += kind != 0;
	switch (kind) {
	case '0': return read_signed(p);
	case '1': return wp_undname_print(p, "&%s", wp_undname_symbol(p));
	case 'E': return wp_undname_symbol(p);
	case 'H': return read_member(p, 1);
	case 'I': return read_member(p, 2);
	case 'J': return read_member(p, 3);
	case 'F': return read_member(p, 2);
	case 'G': return read_member(p, 3);
	case 'D':
	case 'Q': return wp_undname_print(p, "`template-parameter%s'", read_signed(p));
	default: return wp_undname_fail(p);
	}
}

/* One argument; false for the marks of an empty pack. */
static bool read_argument(struct wp_undname_parser *p, struct wp_undname_type *ret)
{
	static const char *const empty[] = {"$S", "$$V", "$$$V", "$$Z"};

	for (size_t i = 0; i < WP_ARRAY_LEN(empty); i++)
		if (wp_undname_take(p, empty[i]))
			return false;
	if (wp_undname_take(p, "$M")) {
		wp_undname_type(p, WP_UNDNAME_PLAIN); /* of the value that follows without '$' */
		*ret = (struct wp_undname_type){read_template_value(p), ""};
	} else if (wp_undname_take(p, "$$Y")) {
		*ret = (struct wp_undname_type){wp_undname_class(p), ""};
	} else if (wp_undname_take(p, "$$B")) {
		*ret = wp_undname_type(p, WP_UNDNAME_PLAIN);
	} else if (wp_undname_take(p, "$$C")) {
		*ret = wp_undname_type(p, WP_UNDNAME_QUALS);
	} else if (p->at[0] == '$' && p->at[1] != '$') {
		p->at++;
		*ret = (struct wp_undname_type){read_template_value(p), ""};
	} else {
		*ret = wp_undname_type(p, WP_UNDNAME_PLAIN);
	}
	return true;
}

const char *wp_undname_arguments(struct wp_undname_parser *p)
{
	struct wp_undname_type one;
	const char *list = "";

	while (!p->failed && !wp_undname_take(p, "@")) {
		if (!*p->at)
			return wp_undname_fail(p);
		if (read_argument(p, &one))
			list = add_to_list(p, list, one.pre, one.post);
	}
	/* As PDBs have it: "a<b<int> >". */
	size_t len = strlen(list);
	return wp_undname_print(p, "<%s%s>", list, len && list[len - 1] == '>' ? " " : "");
}
