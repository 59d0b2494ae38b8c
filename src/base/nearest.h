/* SPDX-License-Identifier: BSD-3-Clause */
/* nearest: of many known names the one that a misspelt word most likely means: "did you mean". */
#ifndef WP_NEAREST_H
#define WP_NEAREST_H

/* Borrows `word`; owns `name`. */
struct wp_nearest {
	const char *word;
	char *name; /* the nearest so far; NULL: none is near */
	unsigned int distance;
};

/* Short words are near to everything, so fewer letters of them may differ. */
struct wp_nearest wp_nearest_to(const char *word);
void wp_nearest_try(struct wp_nearest *nearest, const char *name);
void wp_nearest_deinit(struct wp_nearest *nearest);

#endif
