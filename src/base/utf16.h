/* SPDX-License-Identifier: BSD-3-Clause */
/* utf16: names as Windows has them (in its builds only). Inside wperf every text is UTF-8. */
#ifndef WP_UTF16_H
#define WP_UTF16_H

#include <wchar.h>

/* Both abort without memory; the caller frees. What is no UTF-8 becomes U+FFFD. */
wchar_t *wp_utf16_of(const char *utf8);
char *wp_utf16_to(const wchar_t *utf16);

#endif
