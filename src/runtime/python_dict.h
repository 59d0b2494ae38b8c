/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_dict: dicts and attributes of objects in another process's memory, looked through.
 *
 * Runtime stage, private to python_*.c; pure. The process runs on meanwhile and is not to be
 * trusted: tables are bounded, reads are counted (runtime/python_object.h). Sources:
 * Objects/dictobject.c, Include/internal/pycore_dict.h, Include/internal/pycore_object.h.
 */
#ifndef WP_PYTHON_DICT_H
#define WP_PYTHON_DICT_H

#include "runtime/python_object.h"

#define WP_PYTHON_DICT_CHUNK 32 /* entries that are read at once */

/* How a version keeps its dicts and the attributes of objects. */
enum wp_python_dicts {
	WP_PYTHON_DICTS_UNKNOWN, /* none is read */
	WP_PYTHON_DICTS_OPEN,	 /* 2.7: one table, a part of which is empty */
	WP_PYTHON_DICTS_INDEXED, /* 3.6 to 3.10: entries behind a table of indices */
	WP_PYTHON_DICTS_VALUES,	 /* 3.11: an object points at its dict or its values */
	WP_PYTHON_DICTS_TAGGED,	 /* 3.12: the same, in one word */
	WP_PYTHON_DICTS_INLINE,	 /* 3.13 and newer: values lie behind their object */
};

/* What the plan does not have, since walks do not need it. */
struct wp_python_dict_layout {
	enum wp_python_dicts dicts;
	uint16_t interp_modules; /* modules; 3.12 and newer: imports.modules */
	uint16_t cached_keys;	 /* PyHeapTypeObject.ht_cached_keys, from ob_type on */
};

struct wp_python_dict_reader {
	const struct wp_python_dict_layout *layout;
	struct wp_python_objects objects;
	uint64_t str_type; /* 0: no str was met */
};

/* A name that is looked for, of 31 characters at most; strings of this kind are interned: one
 * address once it is known, else 0. */
struct wp_python_dict_key {
	const char *text;
	uint64_t addr;
};

struct wp_python_dict_table {
	uint64_t entries;
	uint64_t values; /* 0: in the entries, behind the keys */
	uint32_t n;
	uint32_t step, key; /* bytes of an entry, and in front of its key */
};

/* A table being gone through. */
struct wp_python_dict_cursor {
	struct wp_python_dict_table table;
	uint32_t next;
	uint8_t bytes[WP_PYTHON_DICT_CHUNK * 24];
};

/* False: that is no dict. */
bool wp_python_dict_open(struct wp_python_dict_reader *r, uint64_t dict,
			 struct wp_python_dict_cursor *ret);
/* The attributes of an instance of a class written in Python. */
bool wp_python_dict_attributes(struct wp_python_dict_reader *r, uint64_t object,
			       struct wp_python_dict_cursor *ret);
/* The next entry that has a key, whose number is *ret_index; false behind the last one. */
bool wp_python_dict_next(struct wp_python_dict_reader *r, struct wp_python_dict_cursor *c,
			 uint32_t *ret_index, uint64_t *ret_key);
/* The value of the entry that wp_python_dict_next() returned last. */
uint64_t wp_python_dict_value(struct wp_python_dict_reader *r,
			      const struct wp_python_dict_cursor *c, uint32_t index);
/* The values of keys; 0 for those that are not there. Returns how many are. */
uint32_t wp_python_dict_find_values(struct wp_python_dict_reader *r,
				    struct wp_python_dict_cursor *c,
				    struct wp_python_dict_key *keys, uint32_t n, uint64_t *ret);
/* What a name stands for in a dict of names; 0: nothing. */
uint64_t wp_python_dict_find(struct wp_python_dict_reader *r, uint64_t dict, const char *name);
/* The dict of a module that an interpreter has imported; 0: it has not. */
uint64_t wp_python_dict_module(struct wp_python_dict_reader *r, uint64_t interpreter,
			       const char *name);

#endif
