/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * golden: exports of the profile of profile_fixture.h, byte for byte as in exports/FORMAT. A test
 * says how it renders one; `test_x FORMAT` prints what that file must be.
 */
#ifndef WP_GOLDEN_H
#define WP_GOLDEN_H

#include "check.h"

#include "base/file.h"
#include "base/str.h"
#include "base/writer.h"
#include "view/view.h"

#define GOLDEN_MAX (1 << 20)

static inline void render(const char *format, const struct wp_profile *profile, struct wp_str *ret)
{
	struct wp_writer *out = wp_writer_of_str(ret);

	wp_export_find(format)->render(profile, out);
	CHECK_OK(wp_writer_close(out));
}

static inline void golden_check(const char *format,
				void (*text)(const char *format, struct wp_str *ret))
{
	const char *top = getenv("TOP");
	wp_autofree char *path = wp_asprintf("%s/tests/unit/exports/%s", top ? top : ".", format);
	wp_autofree char *want = NULL;
	wp_autostr struct wp_str got = {0};

	CHECK_OK(wp_file_read(path, GOLDEN_MAX, &want, NULL));
	text(format, &got);
	CHECK_STR(got.s, want);
}

static inline int golden_print(const char *format,
			       void (*text)(const char *format, struct wp_str *ret))
{
	wp_autostr struct wp_str got = {0};

	text(format, &got);
	fputs(got.s, stdout);
	return check_failed;
}

#endif
