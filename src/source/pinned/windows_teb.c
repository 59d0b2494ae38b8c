/* SPDX-License-Identifier: BSD-3-Clause */
/* windows_teb: see windows_teb.h. */
#include "source/pinned/windows_teb.h"

#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "format/textline.h"
#include "source/proc/process_memory.h"

#include <string.h>

#define MAPS_LIMIT (64u << 20)
#define PAGE	   4096
#define TEB_LIMIT  (1ull << 31)
#define MAX_PAGES  65536

struct range {
	uint64_t start, end;
};

/* What of a TEB is looked at. */
struct teb {
	uint64_t exceptions, stack_base, stack_limit, subsystem, fiber, user, self, environment;
	uint64_t process, thread; /* ids */
	uint64_t rpc, tls, peb;
};

static bool is_teb(const struct teb *teb, uint64_t at, uint64_t sp)
{
	return teb->self == at && teb->stack_limit && teb->stack_limit < teb->stack_base &&
	       teb->peb && teb->peb % PAGE == 0 && teb->process && teb->process <= UINT32_MAX &&
	       (!sp || (sp >= teb->stack_limit && sp < teb->stack_base));
}

static bool search_range(const struct wp_memory *memory, const struct range *range, uint64_t sp,
			 size_t *left, struct wp_windows_teb *ret)
{
	for (uint64_t at = range->end - PAGE; at >= range->start && *left; at -= PAGE, --*left) {
		struct teb teb;

		if (memory->read(memory->arg, at, &teb, sizeof(teb)) && is_teb(&teb, at, sp)) {
			*ret = (struct wp_windows_teb){at, (uint32_t)teb.process};
			return true;
		}
		if (at < PAGE)
			break;
	}
	return false;
}

/* "START-END " */
static bool take_bounds(struct wp_textline *line, struct range *ret)
{
	if (!wp_textline_hex(line, &ret->start) || !line->len || *line->s != '-')
		return false;
	line->s++, line->len--;
	return wp_textline_hex(line, &ret->end) && ret->end > ret->start;
}

/* Private memory that a TEB may be in; false for any other line of maps. */
static bool read_range(struct wp_textline line, struct range *ret)
{
	static const char private[] = "rw-p ";

	return take_bounds(&line, ret) && ret->end <= TEB_LIMIT && line.len >= strlen(private) &&
	       memcmp(line.s, private, strlen(private)) == 0;
}

bool wp_windows_teb_search(const char *maps, const struct wp_memory *memory, uint64_t sp,
			   struct wp_windows_teb *ret)
{
	struct wp_bytes b = wp_bytes_of(maps, strlen(maps));
	WP_VEC(struct range) ranges = {0};
	size_t left = MAX_PAGES;
	struct wp_textline line;
	struct range range;
	bool found = false;

	while (wp_textline_next(&b, &line))
		if (read_range(line, &range))
			wp_vec_push(&ranges, range);
	/* Wine puts them as high as it may. */
	for (size_t i = ranges.n; i-- > 0 && !found;)
		found = search_range(memory, &ranges.v[i], sp, &left, ret);
	wp_vec_deinit(&ranges);
	return found;
}

bool wp_windows_teb(uint32_t pid, uint64_t sp, struct wp_windows_teb *ret)
{
	wp_autofree char *path = wp_asprintf("/proc/%u/maps", pid), *text = NULL;
	wp_autoerr struct wp_err *err = wp_file_read(path, MAPS_LIMIT, &text, NULL);
	struct wp_memory memory = wp_process_memory(pid);

	return !err && wp_windows_teb_search(text, &memory, sp, ret);
}
