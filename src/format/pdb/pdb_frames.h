/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pdb_frames: how x86 functions keep their return addresses, from a PDB's frame data, as unwind
 * rules.
 *
 * Format stage; pure. x86 images have no .pdata: what leads to a caller there without a frame
 * pointer stands in the PDB's streams of FRAMEDATA, each a little program for a stretch of code
 * ("$T0 .raSearch = $eip $T0 ^ = $esp $T0 4 + ="), and of FPO_DATA, which is older. Programs are
 * run with symbols for values; what a rule cannot say becomes none. Source: FRAMEDATA and FPO_DATA
 * in cvinfo.h of microsoft-pdb, IDiaFrameData::get_program and IDiaStackWalkHelper in the
 * documentation of DIA.
 */
#ifndef WP_PDB_FRAMES_H
#define WP_PDB_FRAMES_H

#include "core/unwind_rows.h"
#include "format/pdb/pdb_dbi.h"
#include "format/pdb/pdb_info.h"

/* FRAMEDATA but for its addresses. */
struct wp_pdb_frame {
	uint32_t locals, params, saved; /* bytes: of locals, of arguments, of pushed registers */
};

/* The rule that a program makes; cfa WP_UNWIND_NONE: it does not fit in one. */
struct wp_unwind_rule wp_pdb_frame_rule(const char *program, const struct wp_pdb_frame *frame);

/*
 * Appends the rules of an image to rows, which are empty and whose base is the image's. Nothing for
 * images whose code was moved after linking. Changes nothing of the PDB's, so that one thread may
 * read frames while another asks for names.
 */
void wp_pdb_frames_read(const struct wp_pdb_msf *msf, const struct wp_pdb_dbi *dbi,
			const struct wp_pdb_info *info, struct wp_unwind_rows *rows);

#endif
