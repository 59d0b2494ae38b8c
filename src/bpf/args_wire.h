/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * args_wire: what the BPF program that reads arguments of probes and its loader tell each other:
 * places in, one record per hit out.
 *
 * Shared by the kernel and user sides, so only fixed-width types and constants.
 */
#ifndef WP_BPF_ARGS_WIRE_H
#define WP_BPF_ARGS_WIRE_H

#include <linux/types.h>

#define WP_ARGS_MAX    16  /* of a place; WP_PROBE_ARGS */
#define WP_ARGS_STRING 256 /* bytes of a text, with its NUL */
#define WP_ARGS_NO_REG 255
#define WP_ARGS_REGS   64 /* words of struct pt_regs at most; a power of two */

enum wp_args_kind {
	WP_ARGS_REGISTER,
	WP_ARGS_CONSTANT,
	WP_ARGS_MEMORY,
};

enum wp_args_text {
	WP_ARGS_NUMBER,
	WP_ARGS_USER_TEXT,
	WP_ARGS_KERNEL_TEXT, /* or a user's, where that cannot be read */
};

/* struct wp_operand, with registers as words of struct pt_regs. */
struct wp_args_operand {
	__u8 kind, size, is_signed, is_high;
	__u8 base, index, shift, text;
	__s64 value;
};

/* By number, which the cookie of the program's link says. */
struct wp_args_place {
	__u32 event; /* its index in the event set */
	__u32 n;
	struct wp_args_operand operands[WP_ARGS_MAX];
};

/* Fixed when the program is loaded. */
struct wp_args_config {
	__u32 pid_ns;	/* as in struct wp_walk_config */
	__u32 filtered; /* only hits of processes in probe_targets count */
};

/* A hit: this head, then the texts one behind the other, each with its NUL. */
struct wp_args_head {
	__u32 event, unused;
	__u64 ip;
	__u32 n;
	__u32 unread;		   /* bit by bit: arguments whose memory could not be read */
	__u64 values[WP_ARGS_MAX]; /* extended to 64 bits; of a text, its bytes */
};

#define WP_ARGS_TEXTS (WP_ARGS_MAX * WP_ARGS_STRING)

struct wp_args_record {
	struct wp_args_head head;
	__u8 texts[WP_ARGS_TEXTS + WP_ARGS_STRING];
};

/* What a link's cookie says: its event's CPU (WP_ARGS_ANY_CPU: not one), and the place's number. */
#define WP_ARGS_ANY_CPU		   0
#define WP_ARGS_COOKIE(cpu, place) ((__u64)(place) << 32 | (__u32)((cpu) + 1))

#endif
