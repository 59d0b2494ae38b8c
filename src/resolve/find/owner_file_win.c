/* SPDX-License-Identifier: BSD-3-Clause */
/* owner_file_win: see owner_file.h; what other users run is not watched on Windows. */
#include "resolve/find/owner_file.h"

struct wp_owner_file_found wp_owner_file_open(const struct wp_owners *owners,
					      wp_owner_file_opener *opener, uint32_t pid,
					      const char *path)
{
	int fd = opener(pid, path);

	(void)owners;
	return (struct wp_owner_file_found){.how = fd < 0 ? WP_OWNER_FILE_NONE : WP_OWNER_FILE_OPEN,
					    .fd = fd};
}
