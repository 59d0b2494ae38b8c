#!/bin/bash
# Writes the seeds of fuzz_replay_script: one script with every directive, and a few broken ones.
set -eu
dir=$(dirname "$0")/corpus/fuzz_replay_script
mkdir -p "$dir"
cat >"$dir/all" <<'END'
# every directive
machine vendor="Acme \"Ltd\"" cores=2 online=0-1 gpc=4 free=3 hw=yes
limits perf_event_paranoid=-1 euid=1000 cap_bpf=no
pmu name=cpu type=4 core cpus=0-1
pmuevent name=inst_spec config=0x1b desc="some words"
place cpu=0 core=1 socket=2 die=3 node=4
process pid=7 exe=/bin/a
map pid=7 start=0x1000 len=0x2000 off=0x10 path=/bin/a
symbol path=/bin/a rva=0x10 size=0x20 name=main
line path=/bin/a rva=0x10 file=a.c line=3
code path=/bin/a rva=0x10 bytes=90c3
sample event=inst_spec pid=7 ip=0x1010 repeat=3 mode=kernel cpu=1 period=5
sample event=inst_spec pid=7 ip=0x1010 stack=0x1010/0x7ff0,0x1020,0x1030/8 kernel_stack=0xf0,0xf1 stack_end=cut
python pid=7 version=3.12 start=0x1000 len=0x800
pycode pid=7 addr=0x90 id=3 name=f qualname=C.f file=/x.py line=3 lines=0:3,20:5,22:0,24:2
pycode pid=7 addr=0xa0 name=g generation=1 file=/x.py line=1 table=80ff
pytext file=/x.py line=3 text="def f():"
sample event=inst_spec pid=7 ip=0x1010 stack=0x1010/0x7ff0 python=thread/held/partial,C.f+22,mark/0x7ff8,0xa0+-1
count event=inst_spec value=12 cpu=1 enabled=1.5 running=0.5
comm pid=7 name=b exec
fork pid=8 parent=7
lost 4
throttle
wait 0.25
interrupt
exit pid=7 status=3
elapsed 2
end
END
printf 'sample event=x pid=99999999999 ip=0' >"$dir/overflow"
printf 'process pid=1 exe="unclosed\\' >"$dir/unclosed"
printf 'sample event=x pid=1 ip=1 stack=,,/\nsample event=x pid=1 ip=1 kernel_stack=1/2/3 stack_end=cut' >"$dir/stacks"
printf 'code path=a rva=0 bytes=9\nmachine cores=8192 online=0-8191' >"$dir/odd"
printf 'python pid=1 version=3.11\npycode pid=1 addr=1 name=\360\200 file=\377 line=1 lines=0:0,65536:4294967\nsample event=x pid=1 ip=1 python=thread/0//,+,mark/' >"$dir/python"
