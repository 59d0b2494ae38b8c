/* SPDX-License-Identifier: BSD-3-Clause */
/* opener: see opener.h. */
#include "base/opener.h"

#include "base/mem.h"

#include <spawn.h>
#include <stdlib.h>
#include <unistd.h>

static bool has_desktop(void)
{
	return getenv("DISPLAY") || getenv("WAYLAND_DISPLAY") || getenv("WSL_DISTRO_NAME");
}

/* In a session of its own: Ctrl-C in our terminal is not meant for a browser. */
static bool start_program(const char *program, char *path)
{
	char *argv[] = {(char *)program, path, NULL};
	posix_spawnattr_t attributes;
	pid_t pid;
	int why;

	if (posix_spawnattr_init(&attributes))
		return false;
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
	why = posix_spawnp(&pid, program, NULL, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
	return why == 0;
}

bool wp_open_on_desktop(const char *path)
{
	/* A name that begins with "-" would be an option. */
	wp_autofree char *name = wp_asprintf("%s%s", *path == '-' ? "./" : "", path);

	return has_desktop() && (start_program("xdg-open", name) || start_program("wslview", name));
}
