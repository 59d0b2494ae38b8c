/* SPDX-License-Identifier: BSD-3-Clause */
/* wmain: where wperf.exe begins: words in UTF-8, bytes as they are, and a console that takes UTF-8.
 */
#include "base/mem.h"
#include "base/utf16.h"

#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <windows.h>

int main(int argc, char **argv);
int wmain(int argc, wchar_t **argv);

static void set_if_missing(const char *name, const char *value)
{
	if (value && !getenv(name))
		setenv(name, value, 0);
}

/* What programs of POSIX are told by their environment. A console that does as a terminal of VT100
 * does has no lack of colours. */
static void complete_environment(void)
{
	HANDLE console = GetStdHandle(STD_OUTPUT_HANDLE);
	DWORD mode;

	if (GetConsoleMode(console, &mode) &&
	    SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING))
		set_if_missing("TERM", "xterm");
	set_if_missing("LC_ALL", "C.UTF-8");
	set_if_missing("HOME", getenv("USERPROFILE"));
}

int wmain(int argc, wchar_t **argv)
{
	char **words = wp_calloc((size_t)argc + 1, sizeof(*words));
	UINT code_page = GetConsoleOutputCP();
	int status;

	for (int i = 0; i < argc; i++)
		words[i] = wp_utf16_to(argv[i]);
	for (int fd = 0; fd <= 2; fd++)
		_setmode(fd, _O_BINARY);
	SetConsoleOutputCP(CP_UTF8);
	complete_environment();
	status = main(argc, words);
	if (code_page)
		SetConsoleOutputCP(code_page);
	return status; /* the words are the program's until it has ended */
}
