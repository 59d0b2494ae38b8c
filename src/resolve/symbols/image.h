/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * image: something that processes map: a file, the vdso, anonymous memory, a module of a script.
 *
 * The same file mapped by many processes is one image. It is opened when the first sample hits it,
 * or when it is expected to, through the process that was hit, and its symbols are loaded once: by
 * the worker, if there is one.
 */
#ifndef WP_IMAGE_H
#define WP_IMAGE_H

#include "base/log.h"
#include "base/patience.h"
#include "base/strpool.h"
#include "core/process.h"
#include "core/unwind_rows.h"
#include "resolve/symbols/image_code.h"
#include "resolve/symbols/image_load.h"
#include "resolve/find/other_roots.h"
#include "resolve/symbols/symbol_ids.h"
#include "resolve/symbols/symfile.h"

enum wp_image_kind {
	WP_IMAGE_FILE,
	WP_IMAGE_VDSO,
	WP_IMAGE_MEMORY, /* anonymous, or a marker such as [heap]: JIT code may be in it */
	WP_IMAGE_DUMP,	 /* jit-PID.dump: the mapping is only a marker */
	WP_IMAGE_SCRIPT, /* its symbols were supplied; addresses are file positions */
};

/* What is to be done about an image that the worker is not done with. */
enum wp_image_patience {
	WP_IMAGE_WAIT,
	WP_IMAGE_HURRY, /* ask for it to be next */
	WP_IMAGE_LEAVE,
};

struct wp_image {
	enum wp_image_kind kind;
	const char *path; /* without " (deleted)" */
	struct wp_file_id id;
	uint32_t path_id; /* in the set's paths */
	uint32_t next;	  /* image with the same key + 1 */

	bool opened;
	/* The following are set when it was opened. */
	enum wp_symbol_reason reason; /* WP_SYMBOL_STRIPPED: look in the table */
	struct wp_symfile file;
	int fd; /* kept for line tables, or -1 */
	uint32_t pid;
	const char *pdb; /* the file with its symbols that the user names, or NULL */
	const struct wp_debug_places *places; /* the set's */
	struct wp_other_roots *roots;	      /* the same */
	struct wp_budget *budget;	      /* the same */
	bool is_foreign; /* the file of neither root nor us, nor of who called sudo */
	bool is_left;	 /* for its loading nobody waits any more */
	bool lines_left; /* nor for its lines */
	void *memory;
	size_t memory_size;
	uint32_t module; /* WP_NO_MODULE until it has one */
	struct wp_unwind_rows unwind;
	bool unwind_tried;
	struct wp_image_code code;
	struct wp_symtab objects; /* of wp_image_objects() */
	bool objects_tried;

	/* What the worker is at; NULL: nothing. */
	struct wp_image_load *load;
	bool awaits_symbols; /* of it; until then `file` is the worker's */
	bool is_loading;     /* in the set's `loading` */
	bool expects_rules;  /* load them right after the symbols */
};

/* An image as a process has it mapped. */
struct wp_image_mapping {
	struct wp_image *image; /* opened */
	uint64_t delta;		/* run-time address minus linked address */
	struct wp_va start;	/* of the mapping */
	uint64_t len;
};

/* Supplied symbols of one path. */
struct wp_image_script {
	WP_VEC(struct wp_symtab_input) symbols;
};

/* All-zero is empty. */
struct wp_images {
	bool offline;
	bool other_vdso; /* ours is not theirs */
	bool past;	 /* the processes have ended: their numbers may be others' by now */
	struct wp_debug_places places;
	const struct wp_log *log;
	const char *pdb_image;	  /* the base name of the image that `pdb` is for; NULL: none */
	const char *pdb;	  /* a file that the user names */
	struct wp_worker *worker; /* NULL: all is loaded at once */
	struct wp_budget *budget; /* what is kept of files, all of it until the end */
	struct wp_patience *patience;
	WP_VEC(struct wp_image *) loading;
	struct wp_strpool paths;
	struct wp_map by_key;	       /* hash -> index of the first image + 1 */
	WP_VEC(struct wp_image *) all; /* pointers, so that they stay where they are */
	struct wp_map script_of;       /* path id -> index in scripts + 1 */
	WP_VEC(struct wp_image_script) scripts;
	struct wp_arena arena;
	size_t open_fds;
	struct wp_other_roots roots; /* of processes that were met */
};

/* The index of the image that a MAP record speaks of, made when it is new. */
uint32_t wp_images_of(struct wp_images *images, const struct wp_record_map *map);
/*
 * Opens an image once, as mapped at map_start (len bytes) in pid. Only what follows needs it to be
 * loaded.
 */
void wp_image_begin(struct wp_images *images, struct wp_image *image, uint32_t pid,
		    struct wp_va map_start, uint64_t len);
/* True when a begun image is loaded. */
bool wp_image_loaded(struct wp_images *images, struct wp_image *image,
		     enum wp_image_patience patience);
/* Takes over what the worker has done; how many images it is not done with. */
size_t wp_images_refresh(struct wp_images *images);
/* True when one of them is a stranger's that nobody waits for any more: do not deinit. */
bool wp_images_are_stuck(struct wp_images *images);
/* Run-time minus linked address for a mapping of an opened image, by an address in it. */
uint64_t wp_image_delta(const struct wp_image *image, const struct wp_mapping *mapping,
			struct wp_va va);
/* True of an open file of neither root nor us, nor of who called sudo. */
bool wp_image_is_foreign(int fd);
/* What reports call it: the path's base name, "[vdso]", "[anon]". */
const char *wp_image_name(const struct wp_image *image);
/* A descriptor of the very file that was mapped, for the caller to close; -1: not to be had. */
int wp_image_file(struct wp_image *image);
/* The line table of an image, or NULL; may open the file again. */
struct wp_srclines *wp_image_lines(struct wp_image *image);

/* Opens the file of an image if it is not open: then true, and it is to be closed again. */
bool wp_image_reopen(struct wp_image *image);
/* What its file is read by, borrowed from it. */
struct wp_symfile_source wp_image_source(const struct wp_image *image);
void wp_image_close_again(struct wp_image *image, bool reopened);

/* Copies up to n bytes of an image's code from a linked address on; returns how many there are in
 * its segment. */
size_t wp_image_read_code(struct wp_image *image, uint64_t addr, uint8_t *ret, size_t n);

/*
 * True when the unwind rules of an image are in image->unwind, loaded once. May open the file
 * again, and wait for the worker.
 */
bool wp_image_unwind_ready(struct wp_images *images, struct wp_image *image,
			   enum wp_image_patience patience);

/* One supplied symbol; images of that path then have only supplied ones. */
void wp_images_add_symbol(struct wp_images *images, const char *path, struct wp_rva start,
			  uint64_t size, const char *name);
/* A table of the symbols supplied for a path; false when there are none. The caller deinits. */
bool wp_images_script(struct wp_images *images, const char *path, struct wp_symtab *ret);
void wp_images_deinit(struct wp_images *images);

#endif
