/* SPDX-License-Identifier: BSD-3-Clause */
/* process_owner: which users a process runs as, as /proc says while it lives. */
#ifndef WP_PROCESS_OWNER_H
#define WP_PROCESS_OWNER_H

#include "core/owner.h"

/* Adds the process's real and effective user with their groups; false: it is gone. */
bool wp_process_owner(uint32_t pid, struct wp_owners *ret);
/* Adds the user that the text of a /proc/PID/status names; false: it names none. */
bool wp_process_owner_parse(const char *status, struct wp_owners *ret);

#endif
