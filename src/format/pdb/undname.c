/* SPDX-License-Identifier: BSD-3-Clause */
/* undname: see undname.h; this half reads names. */
#include "format/pdb/undname.h"

#include "base/str.h"
#include "format/pdb/undname_parser.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RAW	  4096
#define MAX_DEPTH 64
#define MAX_SPENT (256u << 10)

/* Operators and functions that compilers make, by what is behind the '?'. */
static const struct {
	const char *code, *name;
} operators[] = {
	{"__A", "`managed vector constructor iterator'"},
	{"__B", "`managed vector destructor iterator'"},
	{"__C", "`EH vector copy constructor iterator'"},
	{"__D", "`EH vector vbase copy constructor iterator'"},
	{"__G", "`vector copy constructor iterator'"},
	{"__H", "`vector vbase copy constructor iterator'"},
	{"__I", "`managed vector copy constructor iterator'"},
	{"__J", "`local static thread guard'"},
	{"__L", "operator co_await"},
	{"__M", "operator<=>"},
	{"_0", "operator/="},
	{"_1", "operator%="},
	{"_2", "operator>>="},
	{"_3", "operator<<="},
	{"_4", "operator&="},
	{"_5", "operator|="},
	{"_6", "operator^="},
	{"_7", "`vftable'"},
	{"_8", "`vbtable'"},
	{"_9", "`vcall'"},
	{"_A", "`typeof'"},
	{"_B", "`local static guard'"},
	{"_D", "`vbase destructor'"},
	{"_E", "`vector deleting destructor'"},
	{"_F", "`default constructor closure'"},
	{"_G", "`scalar deleting destructor'"},
	{"_H", "`vector constructor iterator'"},
	{"_I", "`vector destructor iterator'"},
	{"_J", "`vector vbase constructor iterator'"},
	{"_K", "`virtual displacement map'"},
	{"_L", "`eh vector constructor iterator'"},
	{"_M", "`eh vector destructor iterator'"},
	{"_N", "`eh vector vbase constructor iterator'"},
	{"_O", "`copy constructor closure'"},
	{"_S", "`local vftable'"},
	{"_T", "`local vftable constructor closure'"},
	{"_U", "operator new[]"},
	{"_V", "operator delete[]"},
	{"_X", "`placement delete closure'"},
	{"_Y", "`placement delete[] closure'"},
	{"2", "operator new"},
	{"3", "operator delete"},
	{"4", "operator="},
	{"5", "operator>>"},
	{"6", "operator<<"},
	{"7", "operator!"},
	{"8", "operator=="},
	{"9", "operator!="},
	{"A", "operator[]"},
	{"C", "operator->"},
	{"D", "operator*"},
	{"E", "operator++"},
	{"F", "operator--"},
	{"G", "operator-"},
	{"H", "operator+"},
	{"I", "operator&"},
	{"J", "operator->*"},
	{"K", "operator/"},
	{"L", "operator%"},
	{"M", "operator<"},
	{"N", "operator<="},
	{"O", "operator>"},
	{"P", "operator>="},
	{"Q", "operator,"},
	{"R", "operator()"},
	{"S", "operator~"},
	{"T", "operator^"},
	{"U", "operator|"},
	{"V", "operator&&"},
	{"W", "operator||"},
	{"X", "operator*="},
	{"Y", "operator+="},
	{"Z", "operator-="},
};

/* The kinds of name that need what comes behind them. */
enum own_name {
	OWN_WHOLE,
	OWN_CONSTRUCTOR,
	OWN_DESTRUCTOR,
	OWN_CONVERSION, /* to the type that it returns */
};

bool wp_undname_take(struct wp_undname_parser *p, const char *word)
{
	if (!wp_str_has_prefix(p->at, word))
		return false;
	p->at += strlen(word);
	return true;
}

const char *wp_undname_fail(struct wp_undname_parser *p)
{
	p->failed = true;
	p->at = "";
	return "";
}

const char *wp_undname_print(struct wp_undname_parser *p, const char *fmt, ...)
{
	wp_autostr struct wp_str text = {0};
	va_list ap;

	if (p->failed)
		return "";
	va_start(ap, fmt);
	wp_str_vprintf(&text, fmt, ap);
	va_end(ap);
	p->spent += text.len + 16;
	if (p->spent > MAX_SPENT)
		return wp_undname_fail(p);
	return wp_arena_strdup(&p->arena, text.s ? text.s : "");
}

bool wp_undname_enter(struct wp_undname_parser *p)
{
	if (p->failed || p->depth >= MAX_DEPTH) {
		wp_undname_fail(p);
		return false;
	}
	p->depth++;
	return true;
}

void wp_undname_leave(struct wp_undname_parser *p)
{
	p->depth--;
}

/* A digit stands for one more than it says; others are written in hexadecimal from A to P. */
uint64_t wp_undname_number(struct wp_undname_parser *p, bool *ret_negative)
{
	uint64_t value = 0;

	*ret_negative = wp_undname_take(p, "?");
	if (isdigit((unsigned char)*p->at))
		return (uint64_t)(*p->at++ - '0') + 1;
	while (*p->at >= 'A' && *p->at <= 'P')
		value = value << 4 | (uint64_t)(*p->at++ - 'A');
	if (!wp_undname_take(p, "@"))
		wp_undname_fail(p);
	return value;
}

static const char *remember_name(struct wp_undname_parser *p, const char *name)
{
	struct wp_undname_lists *lists = &p->lists;

	for (int i = 0; i < lists->n_names; i++)
		if (strcmp(lists->names[i], name) == 0)
			return name;
	if (lists->n_names < WP_UNDNAME_BACK)
		lists->names[lists->n_names++] = name;
	return name;
}

static const char *read_back(struct wp_undname_parser *p)
{
	int n = *p->at - '0';

	if (n >= p->lists.n_names)
		return wp_undname_fail(p);
	p->at++;
	return p->lists.names[n];
}

/* Characters up to '@'. */
static const char *read_mangled_word(struct wp_undname_parser *p)
{
	size_t len = strcspn(p->at, "@");

	if (!len || !p->at[len])
		return wp_undname_fail(p);
	const char *word = wp_undname_print(p, "%.*s", (int)len, p->at);
	if (!p->failed)
		p->at += len + 1;
	return word;
}

static const char *read_operator(struct wp_undname_parser *p, enum own_name *ret_own)
{
	if (wp_undname_take(p, "__K"))
		return wp_undname_print(p, "operator \"\"%s", read_mangled_word(p));
	for (size_t i = 0; i < WP_ARRAY_LEN(operators); i++)
		if (wp_undname_take(p, operators[i].code))
			return operators[i].name;
	if (wp_undname_take(p, "0"))
		*ret_own = OWN_CONSTRUCTOR;
	else if (wp_undname_take(p, "1"))
		*ret_own = OWN_DESTRUCTOR;
	else if (wp_undname_take(p, "B"))
		*ret_own = OWN_CONVERSION;
	else
		return wp_undname_fail(p);
	return "";
}

/* A name and its arguments; references in them count from the template's name on. */
static const char *read_template(struct wp_undname_parser *p, enum own_name *ret_own)
{
	struct wp_undname_lists outer = p->lists;
	const char *name, *arguments;

	if (!wp_undname_enter(p))
		return "";
	p->lists = (struct wp_undname_lists){0};
	if (ret_own && wp_undname_take(p, "?"))
		name = read_operator(p, ret_own);
	else
		name = remember_name(p, read_mangled_word(p));
	arguments = wp_undname_arguments(p);
	p->lists = outer;
	wp_undname_leave(p);
	return wp_undname_print(p, "%s%s", name, arguments);
}

const char *wp_undname_piece(struct wp_undname_parser *p)
{
	if (isdigit((unsigned char)*p->at))
		return read_back(p);
	if (wp_undname_take(p, "?$"))
		return remember_name(p, read_template(p, NULL));
	return remember_name(p, read_mangled_word(p));
}

/* Behind a '?': a number, then another '?' with the symbol that the name is inside of. */
static bool is_local_scope(const char *s)
{
	if (isdigit((unsigned char)s[0]))
		return s[1] == '?';
	size_t len = strspn(s, "ABCDEFGHIJKLMNOP");
	return s[len] == '@' && s[len + 1] == '?' && (len != 1 || s[0] != 'A');
}

static const char *read_local(struct wp_undname_parser *p)
{
	bool negative;
	unsigned long long number = wp_undname_number(p, &negative);

	if (!wp_undname_take(p, "?"))
		return wp_undname_fail(p);
	const char *scope = wp_undname_symbol(p);
	return wp_undname_print(p, "`%s'::`%llu'", scope, number);
}

/* One of the names that another one stands in. */
static const char *read_scope(struct wp_undname_parser *p)
{
	if (p->at[0] == '?' && p->at[1] != '$') {
		p->at++;
		if (is_local_scope(p->at))
			return read_local(p);
		if (*p->at != 'A')
			return wp_undname_fail(p);
		read_mangled_word(p);
		/* Two files' namespaces are two names, though they look alike. */
		if (p->lists.n_names < WP_UNDNAME_BACK)
			p->lists.names[p->lists.n_names++] = "`anonymous namespace'";
		return "`anonymous namespace'";
	}
	return wp_undname_piece(p);
}

/* What a name stands in, up to '@': "a::b" and the last part of it. */
static const char *read_scopes(struct wp_undname_parser *p, const char **ret_last)
{
	const char *whole = NULL, *last = NULL;

	while (!p->failed && !wp_undname_take(p, "@")) {
		const char *piece = read_scope(p);

		whole = whole ? wp_undname_print(p, "%s::%s", piece, whole) : piece;
		last = last ? last : piece;
	}
	*ret_last = last;
	return whole;
}

static const char *join_scope(struct wp_undname_parser *p, const char *scope, const char *name)
{
	return scope ? wp_undname_print(p, "%s::%s", scope, name) : name;
}

const char *wp_undname_class(struct wp_undname_parser *p)
{
	const char *last, *name;

	if (!wp_undname_enter(p))
		return "";
	name = wp_undname_piece(p);
	name = join_scope(p, read_scopes(p, &last), name);
	wp_undname_leave(p);
	return name;
}

/* How far a thunk moves `this` is of no interest. */
static void skip_numbers(struct wp_undname_parser *p, int n)
{
	bool negative;

	while (n-- > 0)
		wp_undname_number(p, &negative);
}

/* What is behind a name says whether it is a variable, a function, and of which kind. */
static const char *read_encoding(struct wp_undname_parser *p)
{
	const char *params;
	char class;

	wp_undname_take(p, "$$J0");
	class = *p->at;
	if (class >= '0' && class <= '4') {
		p->at++;
		wp_undname_variable(p);
		return "";
	}
	if (!class)
		return wp_undname_fail(p);
	if (class >= '5' && class <= '9') {
		p->at += class == '9'; /* extern "C"; the others are tables */
		return "";
	}
	if (wp_undname_take(p, "$R")) {
		p->at += *p->at != 0;
		skip_numbers(p, 4);
	} else if (wp_undname_take(p, "$B")) {
		/* A call through a table: its place there, and how it is called. */
		skip_numbers(p, 1);
		p->at += strlen(p->at) < 2 ? strlen(p->at) : 2;
		return "";
	} else if (wp_undname_take(p, "$")) {
		p->at += *p->at != 0;
		skip_numbers(p, 2);
	} else {
		p->at++;
		if (strchr("GHOPWX", class))
			skip_numbers(p, 1);
	}
	bool is_member = !strchr("YZCDKLST", class);
	struct wp_undname_type type = wp_undname_function(p, is_member, &params);
	return wp_undname_print(p, "%s%s", type.pre, type.post);
}

/* "`dynamic initializer for 'x''": of a variable with its type, or without. */
static const char *read_initializer(struct wp_undname_parser *p, const char *what)
{
	const char *name, *last;

	if (*p->at == '?') {
		name = wp_undname_symbol(p);
		wp_undname_take(p, "@");
		wp_undname_take(p, "@");
	} else {
		name = wp_undname_piece(p);
		name = join_scope(p, read_scopes(p, &last), name);
	}
	read_encoding(p);
	return wp_undname_print(p, "`%s for '%s''", what, name);
}

static const char *finish_name(struct wp_undname_parser *p, const char *scope, const char *last,
			       const char *name, enum own_name own)
{
	const char *type = read_encoding(p);

	if (own == OWN_CONSTRUCTOR || own == OWN_DESTRUCTOR) {
		if (!last)
			return wp_undname_fail(p);
		/* Template arguments of its own are behind the class's name. */
		name = wp_undname_print(p, "%s%s%s", own == OWN_DESTRUCTOR ? "~" : "", last, name);
	} else if (own == OWN_CONVERSION) {
		name = wp_undname_print(p, "operator%s %s", name, type);
	}
	return join_scope(p, scope, name);
}

static const char *read_mangled_symbol(struct wp_undname_parser *p)
{
	enum own_name own = OWN_WHOLE;
	const char *name, *scope, *last;

	if (!wp_undname_take(p, "?"))
		return wp_undname_fail(p);
	if (wp_undname_take(p, "?__E"))
		return read_initializer(p, "dynamic initializer");
	if (wp_undname_take(p, "?__F"))
		return read_initializer(p, "dynamic atexit destructor");
	if (wp_undname_take(p, "?$"))
		name = read_template(p, &own);
	else if (wp_undname_take(p, "?"))
		name = read_operator(p, &own);
	else if (isdigit((unsigned char)*p->at))
		name = read_back(p);
	else
		name = remember_name(p, read_mangled_word(p));
	scope = read_scopes(p, &last);
	return finish_name(p, scope, last, name, own);
}

const char *wp_undname_symbol(struct wp_undname_parser *p)
{
	const char *name;

	if (!wp_undname_enter(p))
		return "";
	name = read_mangled_symbol(p);
	wp_undname_leave(p);
	return name;
}

char *wp_undname(const char *decorated)
{
	struct wp_undname_parser p = {.at = decorated};
	char *ret = NULL;

	/* "??@" begins a hash of a name that was too long. */
	if (decorated[0] != '?' || wp_str_has_prefix(decorated, "??@") ||
	    strlen(decorated) > MAX_RAW)
		return NULL;
	const char *name = wp_undname_symbol(&p);
	if (!p.failed && *name)
		ret = wp_strdup(name);
	wp_arena_deinit(&p.arena);
	return ret;
}
