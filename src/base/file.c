/* SPDX-License-Identifier: BSD-3-Clause */
/* file: see file.h. */
#include "base/file.h"

#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct wp_err *wp_file_read(const char *path, size_t limit, char **ret, size_t *ret_size)
{
	wp_autostr struct wp_str text = {0};
	wp_autoclose int fd = open(path, O_RDONLY | O_CLOEXEC);
	char chunk[16384];
	ssize_t n;

	if (fd < 0)
		return wp_err_os(errno, "%s", path);
	while ((n = read(fd, chunk, sizeof(chunk))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return wp_err_os(errno, "%s", path);
		if ((size_t)n > limit - text.len)
			return wp_err_new(WP_ERR_LIMIT, "%s: larger than %zu bytes", path, limit);
		wp_str_append(&text, chunk, (size_t)n);
	}
	if (ret_size)
		*ret_size = text.len;
	*ret = text.s ? text.s : wp_strdup("");
	text.s = NULL;
	return NULL;
}

char *wp_file_line(const char *path)
{
	char *text;
	struct wp_err *err = wp_file_read(path, 1 << 20, &text, NULL);

	if (err) {
		wp_err_free(err);
		return NULL;
	}
	text[strcspn(text, "\n")] = '\0';
	return text;
}

bool wp_file_u64(const char *path, int base, uint64_t *ret)
{
	wp_autofree char *line = wp_file_line(path);

	return line && wp_str_to_u64(line, base, UINT64_MAX, ret);
}

bool wp_file_i64(const char *path, int64_t *ret)
{
	wp_autofree char *line = wp_file_line(path);
	uint64_t value;

	if (!line || !wp_str_to_u64(line + (*line == '-'), 10, INT64_MAX, &value))
		return false;
	*ret = *line == '-' ? -(int64_t)value : (int64_t)value;
	return true;
}

bool wp_file_exists(const char *path)
{
	return access(path, F_OK) == 0;
}
