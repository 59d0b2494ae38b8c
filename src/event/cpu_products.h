/*
 * cpu_products: the CPUs that are known by name, by what MIDR_EL1 says. The events of each will
 * hang here.
 */
#ifndef WP_CPU_PRODUCTS_H
#define WP_CPU_PRODUCTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wp_cpu_product {
	uint16_t implementer, part; /* 0 for the architectures */
	const char *name;	    /* "neoverse-n1", "armv8-a" */
	const char *extended;	    /* "Neoverse N1 (neoverse-n1), armv8.2, pmu_v3"; "" if none */
};

/* Sorted by name. */
extern const struct wp_cpu_product wp_cpu_products[];
extern const size_t wp_cpu_products_n;
/* Other names of the same CPU: "(alias:name),...". */
#define WP_CPU_ALIASES "(neoverse-n2-r0p0:neoverse-n2),(neoverse-n2-r0p1:neoverse-n2)"

/* By implementer and part number; NULL when it is not known. */
const struct wp_cpu_product *wp_cpu_product_of(uint64_t midr);
/* By name or alias; NULL when it is not known. */
const struct wp_cpu_product *wp_cpu_product_find(const char *name);
/* "Arm Limited" and so on, by MIDR's implementer byte; "Unknown Vendor". */
const char *wp_cpu_vendor(uint64_t midr);

#endif
