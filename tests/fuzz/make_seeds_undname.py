#!/usr/bin/env python3
"""Writes the seeds of fuzz_undname into corpus/: decorated names of every construction that undname knows."""
import os

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus", "fuzz_undname")
SEEDS = {
    "plain": ["?f@@YAXXZ", "?f@a@b@@YAHPEADZZ", "?g@S@@QEBA_NAEBV1@$$QEAU1@@Z", "?x@@3HA", "?p@@3PEAHEA", "?f@@9", "main"],
    "special": ["??0A@@QEAA@XZ", "??1A@@UEAA@XZ", "??_GA@@UEAAPEAXI@Z", "??BA@@QEAAPEADXZ", "??__Mu@@YAHXZ",
                "??__K_km@@YAK_K@Z", "??__Ex@@YAXXZ", "??__F?y@A@@2HA@@YAXXZ", "??RL@@QEAAXH@Z", "?f@A@@W7EAAXXZ"],
    "templates": ["??$f@H@@YAXXZ", "?m@?$B@H$06$0?2PEAD@n@@QEAAXXZ", "??$f@$$V@@YAXXZ", "??$g@$1?x@@3HA@@YAXXZ",
                  "??$g@$$BY02H@@YAXXZ", "??$g@$$A6AHDH@Z@@YAXXZ", "??$g@$MH04@@YAXXZ", "??$g@$HA@@@YAXXZ",
                  "??$B@V?$C@PEAD@@V1@@@YAXXZ", "??0?$B@H@n@@QEAA@XZ"],
    "types": ["?f@@YAXP6AHH@ZQEADAEBQEAX0@Z", "?f@@YAXP8A@@EBAXXZ@Z", "?f@@YAXPEQA@@H@Z", "?f@@YAXAEAY01$$CBH@Z",
              "?f@@YA?AVA@@$$T_N_J_K_W_S_UW4E@@@Z"],
    "scopes": ["?run@L@?1??f@@YAXXZ@QEAAXXZ", "?x@?A0x1234abcd@@YAXXZ", "??R<lambda_1>@?0??f@@YAXXZ@QEBA@H@Z",
               "?x@?BA@??f@@YAXXZ@4HA"],
    "hostile": ["?" * 300, "??$" * 120, "?f@@YAX" + "PEA" * 200 + "H@Z", "?f@@YA" + "P6A" * 200,
                "??$a@" + "V?$a@" * 80 + "@" * 90 + "@YAXXZ", "?f@@YAXV?$a@HH@@" + "V?$b@V1@V1@@@V?$c@V2@V2@@@" * 8 + "@Z"],
}


def main():
    os.makedirs(HERE, exist_ok=True)
    for name, lines in SEEDS.items():
        with open(os.path.join(HERE, name), "w", encoding="ascii") as file:
            file.write("\n".join(lines))


if __name__ == "__main__":
    main()
