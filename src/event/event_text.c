/*
 * event_text: one sentence per CPU event that PMUs name in sysfs: the architectural and common
 * events of Arm's PMUv3 and the events that x86 kernels export. The wording is ours.
 */
#include "event/event_names.h"

#include <stdlib.h>
#include <string.h>

struct text {
	const char *name, *text;
};

/* Sorted by name: it is searched by halves. */
static const struct text texts[] = {
	{"ase_spec", "Advanced SIMD operations executed"},
	{"br_immed_retired", "Immediate branches retired"},
	{"br_immed_spec", "Immediate branches executed"},
	{"br_indirect_spec", "Indirect branches executed"},
	{"br_mis_pred", "Branches that were mispredicted or not predicted"},
	{"br_mis_pred_retired", "Mispredicted branches retired"},
	{"br_pred", "Branches that could have been predicted"},
	{"br_retired", "Branches retired"},
	{"br_return_retired", "Procedure returns retired"},
	{"br_return_spec", "Procedure returns executed"},
	{"bus_access", "Accesses to the bus"},
	{"bus_access_rd", "Reads through the bus"},
	{"bus_access_wr", "Writes through the bus"},
	{"bus_cycles", "Cycles of the bus"},
	{"cid_write_retired", "Writes to the context id register retired"},
	{"cpu_cycles", "Cycles the CPU was running"},
	{"crypto_spec", "Cryptographic operations executed"},
	{"dmb_spec", "Data memory barriers executed"},
	{"dp_spec", "Integer data processing operations executed"},
	{"dsb_spec", "Data synchronization barriers executed"},
	{"dtlb_walk", "Page table walks for a data access"},
	{"exc_return", "Exception returns retired"},
	{"exc_taken", "Exceptions taken"},
	{"inst_retired", "Instructions retired"},
	{"inst_spec", "Instructions executed, also those on a wrong path"},
	{"isb_spec", "Instruction synchronization barriers executed"},
	{"itlb_walk", "Page table walks for an instruction fetch"},
	{"l1d_cache", "Accesses to the level 1 data cache"},
	{"l1d_cache_allocate", "Lines put into the level 1 data cache without a fetch"},
	{"l1d_cache_rd", "Reads of the level 1 data cache"},
	{"l1d_cache_refill", "Misses of the level 1 data cache that fetched a line"},
	{"l1d_cache_refill_rd", "Reads that missed the level 1 data cache"},
	{"l1d_cache_refill_wr", "Writes that missed the level 1 data cache"},
	{"l1d_cache_wb", "Lines written back from the level 1 data cache"},
	{"l1d_cache_wr", "Writes to the level 1 data cache"},
	{"l1d_tlb", "Look-ups in the level 1 data TLB"},
	{"l1d_tlb_rd", "Look-ups in the level 1 data TLB for reads"},
	{"l1d_tlb_refill", "Misses of the level 1 data TLB"},
	{"l1d_tlb_refill_rd", "Misses of the level 1 data TLB for reads"},
	{"l1d_tlb_refill_wr", "Misses of the level 1 data TLB for writes"},
	{"l1d_tlb_wr", "Look-ups in the level 1 data TLB for writes"},
	{"l1i_cache", "Accesses to the level 1 instruction cache"},
	{"l1i_cache_refill", "Misses of the level 1 instruction cache that fetched a line"},
	{"l1i_tlb", "Look-ups in the level 1 instruction TLB"},
	{"l1i_tlb_refill", "Misses of the level 1 instruction TLB"},
	{"l2d_cache", "Accesses to the level 2 data or unified cache"},
	{"l2d_cache_allocate", "Lines put into the level 2 cache without a fetch"},
	{"l2d_cache_rd", "Reads of the level 2 cache"},
	{"l2d_cache_refill", "Misses of the level 2 data or unified cache"},
	{"l2d_cache_refill_rd", "Reads that missed the level 2 cache"},
	{"l2d_cache_refill_wr", "Writes that missed the level 2 cache"},
	{"l2d_cache_wb", "Lines written back from the level 2 cache"},
	{"l2d_cache_wr", "Writes to the level 2 cache"},
	{"l2d_tlb", "Look-ups in the level 2 data or unified TLB"},
	{"l2d_tlb_refill", "Misses of the level 2 data or unified TLB"},
	{"l2i_cache", "Accesses to the level 2 instruction cache"},
	{"l2i_cache_refill", "Misses of the level 2 instruction cache"},
	{"l2i_tlb", "Look-ups in the level 2 instruction TLB"},
	{"l2i_tlb_refill", "Misses of the level 2 instruction TLB"},
	{"l3d_cache", "Accesses to the level 3 data or unified cache"},
	{"l3d_cache_allocate", "Lines put into the level 3 cache without a fetch"},
	{"l3d_cache_refill", "Misses of the level 3 data or unified cache"},
	{"ld_retired", "Load instructions retired"},
	{"ld_spec", "Load operations executed, also those on a wrong path"},
	{"ldst_spec", "Load and store operations executed"},
	{"ll_cache", "Accesses to the last level cache"},
	{"ll_cache_miss", "Misses of the last level cache"},
	{"ll_cache_miss_rd", "Reads that missed the last level cache"},
	{"ll_cache_rd", "Reads of the last level cache"},
	{"mem-loads", "Loads, sampled with their latency"},
	{"mem-stores", "Stores, sampled with their address"},
	{"mem_access", "Accesses to memory by loads and stores"},
	{"mem_access_rd", "Reads of memory by loads"},
	{"mem_access_wr", "Writes to memory by stores"},
	{"memory_error", "Errors that a memory's protection noticed"},
	{"op_retired", "Micro-operations retired"},
	{"op_spec", "Micro-operations executed, also those on a wrong path"},
	{"pc_write_retired", "Software changes of the program counter retired"},
	{"pc_write_spec", "Software changes of the program counter executed"},
	{"remote_access", "Accesses to memory of another socket"},
	{"sample_feed", "Operations that statistical profiling selected"},
	{"sample_filtrate", "Selected operations that passed the filter"},
	{"sample_pop", "Operations that statistical profiling could have selected"},
	{"slots", "Issue slots of the CPU"},
	{"st_retired", "Store instructions retired"},
	{"st_spec", "Store operations executed, also those on a wrong path"},
	{"stall", "Cycles in which no operation was issued"},
	{"stall_backend", "Cycles in which operations waited for a resource"},
	{"stall_frontend", "Cycles in which no operation was there to be issued"},
	{"stall_slot", "Issue slots that stayed empty"},
	{"stall_slot_backend", "Issue slots that stayed empty for lack of a resource"},
	{"stall_slot_frontend", "Issue slots that stayed empty for lack of an operation"},
	{"sw_incr", "Writes to the software increment register"},
	{"topdown-bad-spec", "Issue slots lost to a wrong path"},
	{"topdown-be-bound", "Issue slots that stayed empty for lack of a resource"},
	{"topdown-fe-bound", "Issue slots that stayed empty for lack of an operation"},
	{"topdown-retiring", "Issue slots whose operation was retired"},
	{"trb_wrap", "Wraps of the trace buffer"},
	{"tsc", "Ticks of the time stamp counter"},
	{"ttbr_write_retired", "Writes to a page table base register retired"},
	{"unaligned_ldst_retired", "Unaligned loads and stores retired"},
	{"vfp_spec", "Scalar floating point operations executed"},
};

static int by_name(const void *key, const void *entry)
{
	return strcmp(key, ((const struct text *)entry)->name);
}

const char *wp_event_text(const char *name)
{
	const struct text *found =
		bsearch(name, texts, WP_ARRAY_LEN(texts), sizeof(*texts), by_name);
	const struct wp_event_name *generic = wp_event_hardware_find(name);

	if (found)
		return found->text;
	return generic ? generic->description : NULL;
}
