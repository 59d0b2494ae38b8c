/* SPDX-License-Identifier: BSD-3-Clause */
/* no_return: see no_return.h. C and C++ run-time libraries, CPython, Rust, Windows. */
#include "resolve/flow/no_return.h"

#include "base/mem.h"

#include <stddef.h>
#include <string.h>

static const char *const names[] = {
	"abort",
	"exit",
	"_exit",
	"_Exit",
	"quick_exit",
	"pthread_exit",
	"__assert_fail",
	"__assert_perror_fail",
	"__assert",
	"__stack_chk_fail",
	"__fortify_fail",
	"__chk_fail",
	"__libc_fatal",
	"longjmp",
	"_longjmp",
	"siglongjmp",
	"__longjmp_chk",
	"__libc_longjmp",
	"err",
	"errx",
	"verr",
	"verrx",
	"__cxa_throw",
	"__cxa_rethrow",
	"__cxa_bad_cast",
	"__cxa_bad_typeid",
	"__cxa_throw_bad_array_new_length",
	"__cxa_call_terminate",
	"__cxa_call_unexpected",
	"__clang_call_terminate",
	"_Unwind_Resume",
	"std::terminate",
	"_ZSt9terminatev",
	"_Py_FatalErrorFunc",
	"_Py_FatalErrorFormat",
	"Py_FatalError",
	"Py_Exit",
	"_Py_fatal_error_unexpected",
	"rust_begin_unwind",
	"rust_panic",
	"ExitProcess",
	"_CxxThrowException",
	"__report_rangecheckfailure",
	"__report_gsfailure",
};

static const char *const prefixes[] = {
	"std::__throw_",
	"_ZSt20__throw",
	"_ZSt17__throw",
	"_ZSt16__throw",
	"_ZSt19__throw",
	"_ZSt24__throw",
	"core::panicking::",
	"std::panicking::begin_panic",
	"core::result::unwrap_failed",
	"core::option::unwrap_failed",
	"core::option::expect_failed",
};

bool wp_no_return_name(const char *name)
{
	size_t len = strcspn(name, "@");

	for (size_t i = 0; i < WP_ARRAY_LEN(names); i++)
		if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0)
			return true;
	for (size_t i = 0; i < WP_ARRAY_LEN(prefixes); i++)
		if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}
