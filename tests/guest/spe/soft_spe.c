// SPDX-License-Identifier: GPL-2.0-only
/*
 * soft_spe: a PMU named arm_spe_0 made of software, for tests in a guest only; never installed.
 *
 * GPL, since the kernel exports what it needs to such modules only. Nothing emulates Arm's
 * Statistical Profiling Extension. This module has the same face: a PMU with the formats,
 * capabilities and cpumask of drivers/perf/arm_spe_pmu.c, which writes into an AUX buffer. A timer
 * on each CPU, not a processor, makes the records: one every sample_period nanoseconds of the
 * event's running time, of whatever user code it interrupted (the kernel's, too, unless excluded).
 * The program counter is the interrupted one, exact; when the instruction there is a load or store
 * by a base register, the record is a load or store with the address that it would touch. Latencies
 * and sources are made up, from the count of records, so that a test can say what they must be.
 * Parameters provoke what real hardware does rarely: collide=N and truncate=N flag every Nth piece.
 */
#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/vmalloc.h>
#include <linux/uaccess.h>
#include <asm/arch_timer.h>
#include <asm/ptrace.h>

#define RECORD_BYTES 64

static unsigned int collide, truncate;
module_param(collide, uint, 0644);
module_param(truncate, uint, 0644);

struct soft_buffer {
	u8 *base;
	unsigned long size;
};

struct soft_cpu {
	struct perf_output_handle handle;
	struct hrtimer timer;
	struct perf_event *event;
	struct soft_buffer *buffer;
	unsigned long written; /* since the piece began */
	u64 period_ns, records;
	unsigned int pieces;
};

static DEFINE_PER_CPU(struct soft_cpu, soft_cpus);
static struct pmu soft_pmu;

static void *soft_setup_aux(struct perf_event *event, void **pages, int nr_pages, bool snapshot)
{
	struct soft_buffer *buffer;
	struct page **list;
	int i;

	if (snapshot)
		return NULL;
	buffer = kzalloc(sizeof(*buffer), GFP_KERNEL);
	list = kcalloc(nr_pages, sizeof(*list), GFP_KERNEL);
	if (!buffer || !list)
		goto fail;
	for (i = 0; i < nr_pages; i++)
		list[i] = virt_to_page(pages[i]);
	buffer->base = vmap(list, nr_pages, VM_MAP, PAGE_KERNEL);
	if (!buffer->base)
		goto fail;
	buffer->size = (unsigned long)nr_pages << PAGE_SHIFT;
	kfree(list);
	return buffer;
fail:
	kfree(list);
	kfree(buffer);
	return NULL;
}

static void soft_free_aux(void *aux)
{
	struct soft_buffer *buffer = aux;

	vunmap(buffer->base);
	kfree(buffer);
}

static bool begin_piece(struct soft_cpu *cpu)
{
	cpu->buffer = perf_aux_output_begin(&cpu->handle, cpu->event);
	cpu->written = 0;
	return cpu->buffer;
}

static void end_piece(struct soft_cpu *cpu, u64 flags)
{
	if (!cpu->buffer)
		return;
	cpu->pieces++;
	if (collide && cpu->pieces % collide == 0)
		flags |= PERF_AUX_FLAG_COLLISION;
	if (truncate && cpu->pieces % truncate == 0)
		flags |= PERF_AUX_FLAG_TRUNCATED;
	perf_aux_output_flag(&cpu->handle, flags);
	perf_aux_output_end(&cpu->handle, cpu->written);
	cpu->buffer = NULL;
}

/* LDR, LDRB, LDRSW and the like, and their stores, by an unsigned offset, and LDUR by a signed one
 * (Arm ARM, C4.1.94): what most of compiled code has. False: it is none of them. */
static bool read_access(const struct pt_regs *regs, u64 *addr, bool *store)
{
	unsigned int base, scale;
	u32 insn;

	if (!user_mode(regs) ||
	    copy_from_user_nofault(&insn, (void __user *)regs->pc, sizeof(insn)))
		return false;
	base = insn >> 5 & 31;
	scale = insn >> 30;
	*addr = base == 31 ? regs->sp : regs->regs[base];
	if ((insn & 0x3b000000) == 0x39000000) {
		if (insn & 1u << 26)
			return false;
		*addr += (u64)(insn >> 10 & 0xfff) << scale;
	} else if ((insn & 0x3b200c00) == 0x38000000) {
		if (insn & 1u << 26)
			return false;
		*addr += sign_extend64(insn >> 12 & 0x1ff, 8);
	} else {
		return false;
	}
	*store = (insn >> 22 & 3) == 0;
	return true;
}

static u8 *put(u8 *at, u8 header, u64 value, int bytes)
{
	*at++ = header;
	for (; bytes--; value >>= 8)
		*at++ = (u8)value;
	return at;
}

/* As a Neoverse lays it out: PC, context, type, events, latencies, address, source, time. */
static void write_record(struct soft_cpu *cpu, u8 *to, const struct pt_regs *regs)
{
	u64 config = cpu->event->attr.config, addr, n = cpu->records++;
	u64 pc = regs->pc & GENMASK_ULL(55, 0), level = user_mode(regs) ? 0 : 1;
	bool store = false, access = read_access(regs, &addr, &store);
	u8 *at = to;

	memset(to, 0, RECORD_BYTES);
	at = put(at, 0xb0, pc | level << 61 | 1ull << 63, 8);
	if (config & 4)
		at = put(at, 0x64, (u32)current->pid, 4);
	at = put(at, access ? 0x49 : 0x48, store, 1);
	at = put(at, 0x52, 2 | (access ? 4 | (n % 4 ? 0 : 8) : 0), 2);
	at = put(at, 0x99, 3, 2);
	at = put(at, 0x98, 5 + n % 100, 2);
	if (access) {
		at = put(at, 0xb2, addr, 8);
		if (!store)
			at = put(at, 0x43, n % 4 ? 0 : 8, 1);
	}
	if (config & 1)
		put(to + RECORD_BYTES - 9, 0x71, arch_timer_read_counter(), 8);
	else
		put(to + RECORD_BYTES - 1, 0x01, 0, 0);
}

/* Bits 32 to 34 of config: branches, loads, stores; none: all. */
static bool is_wanted(const struct soft_cpu *cpu, const struct pt_regs *regs)
{
	u64 types = cpu->event->attr.config >> 32 & 7, addr;
	bool store, access;

	if (user_mode(regs) ? cpu->event->attr.exclude_user : cpu->event->attr.exclude_kernel)
		return false;
	if (!types)
		return true;
	access = read_access(regs, &addr, &store);
	return access && types & (store ? 4 : 2);
}

static enum hrtimer_restart tick(struct hrtimer *timer)
{
	struct soft_cpu *cpu = container_of(timer, struct soft_cpu, timer);
	struct pt_regs *regs = get_irq_regs();
	unsigned long at;

	if (!cpu->event)
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, ns_to_ktime(cpu->period_ns));
	if (!regs || !is_wanted(cpu, regs))
		return HRTIMER_RESTART;
	if (!cpu->buffer && !begin_piece(cpu))
		return HRTIMER_RESTART;
	if (cpu->written + RECORD_BYTES > cpu->handle.size) {
		end_piece(cpu, PERF_AUX_FLAG_TRUNCATED);
		if (!begin_piece(cpu) || cpu->handle.size < RECORD_BYTES)
			return HRTIMER_RESTART;
	}
	at = (cpu->handle.head + cpu->written) & (cpu->buffer->size - 1);
	write_record(cpu, cpu->buffer->base + at, regs);
	cpu->written += RECORD_BYTES;
	if (cpu->handle.head + cpu->written >= cpu->handle.wakeup) {
		end_piece(cpu, 0);
		begin_piece(cpu);
	}
	return HRTIMER_RESTART;
}

static void soft_start(struct perf_event *event, int flags)
{
	struct soft_cpu *cpu = this_cpu_ptr(&soft_cpus);

	event->hw.state = 0;
	cpu->event = event;
	cpu->period_ns = max_t(u64, event->attr.sample_period, 10000);
	begin_piece(cpu);
	hrtimer_start(&cpu->timer, ns_to_ktime(cpu->period_ns), HRTIMER_MODE_REL_PINNED_HARD);
}

static void soft_stop(struct perf_event *event, int flags)
{
	struct soft_cpu *cpu = this_cpu_ptr(&soft_cpus);

	if (event->hw.state & PERF_HES_STOPPED)
		return;
	hrtimer_cancel(&cpu->timer);
	end_piece(cpu, 0);
	cpu->event = NULL;
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
}

static int soft_add(struct perf_event *event, int flags)
{
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (flags & PERF_EF_START)
		soft_start(event, 0);
	return 0;
}

static void soft_del(struct perf_event *event, int flags)
{
	soft_stop(event, PERF_EF_UPDATE);
}

static void soft_read(struct perf_event *event)
{
}

static int soft_init_event(struct perf_event *event)
{
	if (event->attr.type != soft_pmu.type)
		return -ENOENT;
	if (event->attr.exclude_idle)
		return -EOPNOTSUPP;
	if (event->attr.freq)
		return -EINVAL;
	if (event->attr.config & 6 && !perfmon_capable())
		return -EACCES;
	return 0;
}

PMU_FORMAT_ATTR(ts_enable, "config:0");
PMU_FORMAT_ATTR(pa_enable, "config:1");
PMU_FORMAT_ATTR(pct_enable, "config:2");
PMU_FORMAT_ATTR(jitter, "config:16");
PMU_FORMAT_ATTR(branch_filter, "config:32");
PMU_FORMAT_ATTR(load_filter, "config:33");
PMU_FORMAT_ATTR(store_filter, "config:34");
PMU_FORMAT_ATTR(event_filter, "config1:0-63");
PMU_FORMAT_ATTR(min_latency, "config2:0-11");

static struct attribute *format_attrs[] = {
	&format_attr_ts_enable.attr,	 &format_attr_pa_enable.attr,
	&format_attr_pct_enable.attr,	 &format_attr_jitter.attr,
	&format_attr_branch_filter.attr, &format_attr_load_filter.attr,
	&format_attr_store_filter.attr,	 &format_attr_event_filter.attr,
	&format_attr_min_latency.attr,	 NULL,
};
static const struct attribute_group format_group = {.name = "format", .attrs = format_attrs};

static ssize_t min_interval_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sprintf(buf, "1024\n");
}
static DEVICE_ATTR_RO(min_interval);
static ssize_t count_size_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sprintf(buf, "12\n");
}
static DEVICE_ATTR_RO(count_size);
static struct attribute *caps_attrs[] = {&dev_attr_min_interval.attr, &dev_attr_count_size.attr,
					 NULL};
static const struct attribute_group caps_group = {.name = "caps", .attrs = caps_attrs};

static ssize_t cpumask_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return cpumap_print_to_pagebuf(true, buf, cpu_online_mask);
}
static DEVICE_ATTR_RO(cpumask);
static struct attribute *mask_attrs[] = {&dev_attr_cpumask.attr, NULL};
static const struct attribute_group mask_group = {.attrs = mask_attrs};

static const struct attribute_group *soft_groups[] = {&format_group, &caps_group, &mask_group,
						      NULL};

static struct pmu soft_pmu = {
	.module = THIS_MODULE,
	.capabilities = PERF_PMU_CAP_EXCLUSIVE | PERF_PMU_CAP_ITRACE,
	.attr_groups = soft_groups,
	.task_ctx_nr = perf_sw_context,
	.event_init = soft_init_event,
	.add = soft_add,
	.del = soft_del,
	.start = soft_start,
	.stop = soft_stop,
	.read = soft_read,
	.setup_aux = soft_setup_aux,
	.free_aux = soft_free_aux,
};

static int __init soft_load(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
	{
		struct soft_cpu *one = per_cpu_ptr(&soft_cpus, cpu);

		hrtimer_init(&one->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
		one->timer.function = tick;
	}
	return perf_pmu_register(&soft_pmu, "arm_spe_0", -1);
}

static void __exit soft_unload(void)
{
	perf_pmu_unregister(&soft_pmu);
}

module_init(soft_load);
module_exit(soft_unload);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("arm_spe_0 made of software, for wperf's tests");
