/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_sample: which fields a kernel sample has: bits of an attribute, named as in
 * include/uapi/linux/perf_event.h.
 */
#ifndef WP_PERF_SAMPLE_H
#define WP_PERF_SAMPLE_H

/* enum perf_event_sample_format */
#define WP_PERF_SAMPLE_IP	      (1u << 0)
#define WP_PERF_SAMPLE_TID	      (1u << 1)
#define WP_PERF_SAMPLE_TIME	      (1u << 2)
#define WP_PERF_SAMPLE_ADDR	      (1u << 3)
#define WP_PERF_SAMPLE_READ	      (1u << 4)
#define WP_PERF_SAMPLE_CALLCHAIN      (1u << 5)
#define WP_PERF_SAMPLE_ID	      (1u << 6)
#define WP_PERF_SAMPLE_CPU	      (1u << 7)
#define WP_PERF_SAMPLE_PERIOD	      (1u << 8)
#define WP_PERF_SAMPLE_STREAM_ID      (1u << 9)
#define WP_PERF_SAMPLE_RAW	      (1u << 10)
#define WP_PERF_SAMPLE_BRANCH_STACK   (1u << 11)
#define WP_PERF_SAMPLE_REGS_USER      (1u << 12)
#define WP_PERF_SAMPLE_STACK_USER     (1u << 13)
#define WP_PERF_SAMPLE_WEIGHT	      (1u << 14)
#define WP_PERF_SAMPLE_DATA_SRC	      (1u << 15)
#define WP_PERF_SAMPLE_IDENTIFIER     (1u << 16)
#define WP_PERF_SAMPLE_TRANSACTION    (1u << 17)
#define WP_PERF_SAMPLE_REGS_INTR      (1u << 18)
#define WP_PERF_SAMPLE_PHYS_ADDR      (1u << 19)
#define WP_PERF_SAMPLE_AUX	      (1u << 20)
#define WP_PERF_SAMPLE_CGROUP	      (1u << 21)
#define WP_PERF_SAMPLE_DATA_PAGE_SIZE (1u << 22)
#define WP_PERF_SAMPLE_CODE_PAGE_SIZE (1u << 23)
#define WP_PERF_SAMPLE_WEIGHT_STRUCT  (1u << 24)

/* enum perf_event_read_format. LOST is Linux 6.0. */
#define WP_PERF_READ_ENABLED (1u << 0)
#define WP_PERF_READ_RUNNING (1u << 1)
#define WP_PERF_READ_ID	     (1u << 2)
#define WP_PERF_READ_GROUP   (1u << 3)
#define WP_PERF_READ_LOST    (1u << 4)

/* enum perf_branch_sample_type: what stands before and behind the branches of a sample. */
#define WP_PERF_BRANCH_HW_INDEX (1u << 17)
#define WP_PERF_BRANCH_COUNTERS (1u << 19)

#endif
