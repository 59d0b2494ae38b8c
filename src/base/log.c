/* SPDX-License-Identifier: BSD-3-Clause */
/* log: see log.h. */
#include "base/log.h"

#include "base/str.h"
#include "base/utf8.h"

#include <stdlib.h>

void wp_log(const struct wp_log *log, enum wp_log_level level, const char *fmt, ...)
{
	wp_autostr struct wp_str line = {0};
	va_list ap;

	if (!log || !log->sink)
		return;
	va_start(ap, fmt);
	wp_str_vprintf(&line, fmt, ap);
	va_end(ap);
	if (line.s)
		wp_utf8_hide_controls(line.s, "\n\t");
	log->sink(log->arg, level, line.s ? line.s : "");
}

static void keep_log_line(void *arg, enum wp_log_level level, const char *line)
{
	struct wp_log_kept *kept = arg;

	wp_vec_push(&kept->lines, (struct wp_log_line){level, wp_strdup(line)});
}

const struct wp_log *wp_log_keep(struct wp_log_kept *kept)
{
	kept->log = (struct wp_log){.sink = keep_log_line, .arg = kept};
	return &kept->log;
}

void wp_log_tell(struct wp_log_kept *kept, const struct wp_log *log)
{
	wp_vec_each (struct wp_log_line, line, &kept->lines) {
		wp_log(log, line->level, "%s", line->text);
		free(line->text);
	}
	wp_vec_deinit(&kept->lines);
}
