/* SPDX-License-Identifier: BSD-3-Clause */
/* test_demangle: C++, Rust legacy and v0, version and clone suffixes, names that grow without end.
 */
#include "check.h"
#include "resolve/symbols/demangle.h"

#include <stdbool.h>

static const struct {
	const char *raw, *shown;
} names[] = {
	{"main", "main"},
	{"puts@plt", "puts@plt"},
	{"memcpy@@GLIBC_2.14", "memcpy"},
	{"_Z3foov", "foo"},
	{"_Z3foov.cold", "foo [clone .cold]"},
	{"_ZNSo3putEc@plt", "std::ostream::put@plt"},
	{"_ZN2ns1fIiEEvT_", "ns::f<int>"},
	{"_ZNKSt6vectorIiSaIiEE4sizeEv", "std::vector<int, std::allocator<int> >::size"},
	{"_ZNSt6vectorIiSaIiEED1Ev", "std::vector<int, std::allocator<int> >::~vector"},
	{"_ZN1AcviEv", "A::operator int"},
	{"_ZThn8_N1B1fEv", "non-virtual thunk to B::f()"},
	{"_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad"},
	{"_ZN60_$LT$alloc..string..String$u20$as$u20$core..fmt..Display$GT$"
	 "3fmt17h0123456789abcdefE",
	 "<alloc::string::String as core::fmt::Display>::fmt"},
	{"_RNvCs1234_7mycrate3foo", "mycrate::foo"},
	{"_RNvMCs1234_7mycrateNtB2_3Bar3baz", "<mycrate::Bar>::baz"},
	{"_Zgarbage", "_Zgarbage"},
	{"_Z3fooGARBAGE!", "_Z3fooGARBAGE!"},
	{"foo.isra.0", "foo.isra.0"},
	{"", ""},
	{"@", "@"},
};

static void test_names(void)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(names); i++) {
		wp_autofree char *shown = wp_demangle_display(names[i].raw);

		CHECK_STR(shown, names[i].shown);
	}
}

/* Each level doubles the last: 2^40 characters if nobody stops it. */
static void test_endless(void)
{
	char raw[2048] = "_Z1fSt4pairIiiE";
	size_t len = strlen(raw);

	for (int i = 0; i < 40; i++) {
		int n = i ? snprintf(raw + len, sizeof(raw) - len, "St4pairIS%c_S%c_E",
				     i < 10 ? '0' + i : 'A' + i - 10,
				     i < 10 ? '0' + i : 'A' + i - 10)
			  : snprintf(raw + len, sizeof(raw) - len, "St4pairIS_S_E");
		len += (size_t)n;
	}
	free(wp_demangle_display(raw));
	char *deep = wp_calloc(1 << 20, 1);
	memset(deep, 'P', (1 << 20) - 1);
	memcpy(deep, "_Z1f", 4);
	for (size_t cut = 100; cut < 1 << 20; cut *= 2) {
		char *copy = wp_strndup(deep, cut);

		free(wp_demangle_display(copy));
		free(copy);
	}
	free(deep);
	CHECK(true);
}

int main(void)
{
	RUN(test_names);
	RUN(test_endless);
	return check_done();
}
