#!/bin/bash
# Writes the seeds of fuzz_event_list: one event list per file.
set -eu
cd "$(dirname "$0")/corpus" && mkdir -p fuzz_event_list && cd fuzz_event_list
n=0
while read -r list; do
	n=$((n + 1))
	printf '%s' "$list" >"list_$n"
done <<'LISTS'
ld_spec,cycles:u,r11,0x1b
{ld_spec,r1b},/dsu/{l3d_cache,/dsu/r2a}
L1-dcache-load-misses,cs,faults:k
sched:sched_switch:100,ld_spec:u:0x100000
mem:0x1000/8:rw:u:3
armv8_pmuv3_0/config=0x1,config1=2,name=x/uk
armv8_pmuv3_0/event=0x3c,umask/
{{a,b}}:u,,}
mine:1b,other:0x2c,/dmc_clk/x:3
ld_spce:99999999999
uprobe:/bin/a:ns::f<a, b>+0x10,{uprobe:b:f.c:12:50,uprobe:b:f%return}
usdt:python3.11:python:gc__start:7,uprobe:b:f/name=x,period=3/:9,kprobe:do_exit+4
LISTS
