/* SPDX-License-Identifier: BSD-3-Clause */
/* disasm: instruction bytes to text, x86-64 (AT&T syntax, as llvm-objdump prints it) and arm64. */
#ifndef WP_DISASM_H
#define WP_DISASM_H

#include "base/err.h"
#include "core/addr.h"

#include <stddef.h>
#include <stdint.h>

struct wp_disasm;

/* arch as in struct wp_machine; fails for one that is neither x86_64 nor aarch64. */
struct wp_err *wp_disasm_open(const char *arch, struct wp_disasm **ret) WP_MUST_CHECK;
void wp_disasm_close(struct wp_disasm *disasm);
/*
 * Decodes n bytes that begin at the address, which must be an instruction's first; calls back for
 * each, with its text ("mov      x0, x1") valid during the call. What is no instruction becomes one
 * of `.byte`s and decoding goes on behind it.
 */
void wp_disasm_run(struct wp_disasm *disasm, const uint8_t *bytes, size_t n, struct wp_rva start,
		   void (*each)(void *arg, struct wp_rva address, const char *text), void *arg);

#endif
