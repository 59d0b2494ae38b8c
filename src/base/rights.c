/* SPDX-License-Identifier: BSD-3-Clause */
/* rights: see rights.h. */
#include "base/rights.h"

#include "base/mem.h"
#include "base/str.h"

#include <linux/capability.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BIT(capability) (1ull << (capability))

/* Memory and files of processes, also deleted ones, and the kernel's symbols. */
#define READS                                                                           \
	(BIT(CAP_SYS_PTRACE) | BIT(CAP_DAC_READ_SEARCH) | BIT(CAP_CHECKPOINT_RESTORE) | \
	 BIT(CAP_SYSLOG))
/* Events and programs in the kernel; maps are changed with them up to Linux 5.18. */
#define EVENTS (BIT(CAP_PERFMON) | BIT(CAP_BPF))
/* To read as another user does (resolve/find/owner_file.c), and to be a real-time thread again. */
#define BECOMES (BIT(CAP_SETUID) | BIT(CAP_SETGID) | BIT(CAP_SYS_NICE))
#define WRITES	(BIT(CAP_DAC_OVERRIDE) | BIT(CAP_FOWNER))
/* What was one capability before Linux 5.8 and 5.9. */
#define APART (BIT(CAP_PERFMON) | BIT(CAP_BPF) | BIT(CAP_CHECKPOINT_RESTORE))

struct sets {
	struct __user_cap_header_struct head;
	struct __user_cap_data_struct halves[2];
};

static bool is_anothers(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && st.st_uid != geteuid();
}

bool wp_rights_needs_for(const char *path)
{
	const char *name = wp_str_basename(path);
	wp_autofree char *folder =
		name > path ? wp_strndup(path, (size_t)(name - path)) : wp_strdup(".");

	return is_anothers(folder) || is_anothers(path);
}

static uint64_t kept(uint64_t permitted, struct wp_rights_needs needs)
{
	uint64_t keep = READS | EVENTS | BECOMES;

	if (needs.writes)
		keep |= WRITES;
	if (needs.kills)
		keep |= BIT(CAP_KILL);
	if ((permitted & APART) != APART)
		keep |= BIT(CAP_SYS_ADMIN);
	return keep;
}

void wp_rights_reduce(struct wp_rights_needs needs)
{
	struct sets sets = {.head = {.version = _LINUX_CAPABILITY_VERSION_3}};
	uint64_t keep;

	if (geteuid() != 0 || syscall(SYS_capget, &sets.head, sets.halves) != 0)
		return;
	keep = kept(sets.halves[0].permitted | (uint64_t)sets.halves[1].permitted << 32, needs);
	for (int i = 0; i < 2; i++) {
		uint32_t half = (uint32_t)(keep >> 32 * i);

		sets.halves[i].permitted &= half;
		sets.halves[i].effective &= half;
		sets.halves[i].inheritable &= half;
	}
	/* Refused, all stays as the user gave it. */
	(void)syscall(SYS_capset, &sets.head, sets.halves);
}
