/* SPDX-License-Identifier: BSD-3-Clause */
/* demangle: see demangle.h. */
#include "resolve/symbols/demangle.h"

#include "base/str.h"
#include "format/pdb/undname.h"

#include <stdlib.h>

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <string.h>

#define MAX_RAW	   4096
#define MAX_OUTPUT (64u << 10)
/* Names over half of libiberty's recursion limit are refused unless it is lifted. */
#define SAFE_RAW (DEMANGLE_RECURSION_LIMIT / 2)

struct output {
	struct wp_str text;
	jmp_buf too_long;
};

static void collect(const char *s, size_t len, void *arg)
{
	struct output *out = arg;

	/* The printer has no other way to be stopped; it keeps nothing but its own stack. */
	if (len > MAX_OUTPUT - out->text.len)
		longjmp(out->too_long, 1);
	if (len) /* of an empty name s is NULL */
		wp_str_append(&out->text, s, len);
}

static int demangle(struct output *out, const char *raw, int options)
{
	if (setjmp(out->too_long) != 0)
		return 0;
	if (options & DMGL_RUST)
		return rust_demangle_callback(raw, options, collect, out);
	return cplus_demangle_v3_callback(raw, options, collect, out);
}

static char *run_demangler(const char *raw, int options)
{
	struct output out = {0};

	if (strlen(raw) > SAFE_RAW)
		options |= DMGL_NO_RECURSE_LIMIT;
	if (demangle(&out, raw, options) && out.text.len)
		return out.text.s;
	wp_str_deinit(&out.text);
	return NULL;
}

/* The compiler's suffix of a mangled name (".cold", ".part.0"), or NULL. */
static const char *clone_suffix(const char *raw)
{
	const char *dot = strchr(raw, '.');

	return dot && dot[1] ? dot : NULL;
}

char *wp_demangle(const char *raw)
{
	bool itanium = wp_str_has_prefix(raw, "_Z");

	if (raw[0] == '?')
		return wp_undname(raw);
	if ((!itanium && !wp_str_has_prefix(raw, "_R")) || strlen(raw) > MAX_RAW)
		return NULL;
	char *name = run_demangler(raw, DMGL_RUST);
	if (name || !itanium)
		return name;
	/* Without DMGL_PARAMS anything may follow the name: ask first whether the whole parses. */
	char *whole = run_demangler(raw, DMGL_PARAMS | DMGL_ANSI);
	if (!whole)
		return NULL;
	name = run_demangler(raw, DMGL_ANSI);
	const char *suffix = clone_suffix(raw);
	if (!name)
		return whole;
	free(whole);
	if (!suffix)
		return name;
	whole = wp_asprintf("%s [clone %s]", name, suffix);
	free(name);
	return whole;
}

char *wp_demangle_display(const char *raw)
{
	size_t len = strcspn(raw, "@");
	bool plt = strcmp(raw + len, "@plt") == 0;

	if (!len || !raw[len] || raw[0] == '?') {
		char *plain = wp_demangle(raw);

		return plain ? plain : wp_strdup(raw);
	}
	char *base = wp_strndup(raw, len), *name = wp_demangle(base);
	if (!name)
		name = wp_strdup(base);
	free(base);
	if (!plt)
		return name;
	char *with = wp_asprintf("%s@plt", name);
	free(name);
	return with;
}
