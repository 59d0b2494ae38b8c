#!/bin/bash
# Writes the seeds of fuzz_formula: one formula per file.
set -eu
cd "$(dirname "$0")/corpus" && mkdir -p fuzz_formula && cd fuzz_formula
n=0
while IFS= read -r formula; do
	n=$((n + 1))
	printf '%s' "$formula" >"formula_$n"
done <<'FORMULAS'
INST_RETIRED / CPU_CYCLES
100 * (STALL_SLOT_BACKEND / (CPU_CYCLES * 5) - BR_MIS_PRED * 3 / CPU_CYCLES)
min(a, max(b, -1.5e3)) + topdown\-retiring
((((((((1))))))))/0
a b
1e999-.
a\
-(-(-x))*y/
FORMULAS
