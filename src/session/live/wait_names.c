/* SPDX-License-Identifier: BSD-3-Clause */
/* wait_names: see wait_names.h. */
#include "session/live/wait_names.h"

#include "base/keyed.h"
#include "base/utf8.h"
#include "core/instant.h"
#include "source/instant/instant_wait.h"

/* So that a server with ever new descriptors costs bounded memory: all is forgotten then. */
#define SEEN_MAX (1u << 16)
/* A file that is opened and closed again and again is met open some time, or never. */
#define MISSES_MAX 16
/* Of different names; what comes then has none. */
#define TEXTS_MAX (1u << 18)

static uint32_t look_up_fd(struct wp_wait_names *names, const struct wp_record *sample, int fd,
			   uint64_t inode)
{
	char text[WP_INSTANT_PATH];

	if (!wp_instant_fd_name(sample->pid, sample->tid, fd, text) ||
	    wp_instant_fd_inode(sample->pid, sample->tid, fd) != inode ||
	    names->texts.strings.n >= TEXTS_MAX)
		return 0;
	wp_utf8_hide_controls(text, "");
	return wp_strpool_id(&names->texts, text) + 1;
}

static struct wp_wait_name_seen *find_seen_fd(struct wp_wait_names *names, uint64_t key)
{
	if (names->seen.n >= SEEN_MAX) {
		names->seen.n = 0;
		wp_map_deinit(&names->by_fd);
	}
	return wp_keyed_put(&names->seen, &names->by_fd, key, (struct wp_wait_name_seen){0});
}

uint32_t wp_wait_names_find(struct wp_wait_names *names, const struct wp_record *sample,
			    const struct wp_stack_call *call)
{
	uint32_t fd = (uint32_t)call->argument;
	struct wp_wait_name_seen *seen = find_seen_fd(names, (uint64_t)sample->pid << 32 | fd);

	if (seen->inode != call->inode || seen->file_kind != call->file_kind)
		*seen = (struct wp_wait_name_seen){call->inode, call->file_kind, 0, 0};
	if (!seen->name && seen->misses < MISSES_MAX) {
		seen->name = look_up_fd(names, sample, (int)fd, call->inode);
		seen->misses += !seen->name;
	}
	return seen->name;
}

const char *wp_wait_names_get(const struct wp_wait_names *names, uint32_t name)
{
	return wp_strpool_get(&names->texts, name - 1);
}

void wp_wait_names_deinit(struct wp_wait_names *names)
{
	wp_strpool_deinit(&names->texts);
	wp_map_deinit(&names->by_fd);
	wp_vec_deinit(&names->seen);
}
