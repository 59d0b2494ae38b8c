# A short front for CMake. `make demo` and `make test` work on a fresh Debian: they install what is missing first.
BUILD := build
PREFIX ?= /usr/local

.PHONY: all demo test test-full test-quick bench install uninstall dist windows format clean deps fuzz

all: $(BUILD)/release/build.ninja
	@cmake --build --preset release --target wperf
	@cat $(BUILD)/release/lacks.txt

$(BUILD)/%/build.ninja: CMakeLists.txt CMakePresets.json cmake/*.cmake
	@tools/install_deps build
	@cmake --preset $* >$(BUILD)-$*.log 2>&1 || { cat $(BUILD)-$*.log; exit 1; }
	@mv $(BUILD)-$*.log $(BUILD)/$*/configure.log

# Builds, profiles a real CPython, prints the report and keeps it in build/demo/.
demo: all
	@tools/install_deps demo
	@tools/demo $(BUILD)/release/wperf $(BUILD)/demo

# What every change must pass: units, goldens, the rules of the house, real programs profiled. Twelve minutes at most.
test:
	@tools/install_deps build demo test
	@$(MAKE) --no-print-directory $(BUILD)/dev/build.ninja
	@tests/tools/python_suites fetch & tests/tools/export_consumers fetch & \
		cmake --build --preset dev; built=$$?; wait; exit $$built
	@tools/run_tests $(BUILD)/dev -LE 'full|nightly'

# What an hour is needed for: every interpreter at length, ASan and UBSan, threads under TSan, emulated machines, Wine, other Debians.
# With NIGHTLY=1 also what takes longer, and an hour of fuzzing follows.
test-full:
	@tools/install_deps build demo test full
	@$(MAKE) --no-print-directory $(BUILD)/dev/build.ninja $(BUILD)/asan/build.ninja $(BUILD)/tsan/build.ninja
	@cmake --build --preset dev && cmake --build --preset asan && cmake --build --preset tsan
	@WPERF_GUEST=1 WPERF_WINDOWS=1 tools/run_tests $(BUILD)/dev -L '$(if $(NIGHTLY),full|nightly,full)' -- $(BUILD)/asan -LE 'house|oracle|measured|full|nightly' -- $(BUILD)/tsan -L threads
	@$(if $(NIGHTLY),$(MAKE) --no-print-directory fuzz SECONDS=3600 COVERAGE=1)

# While working: units, goldens, and whether the BPF program loads.
test-quick: $(BUILD)/dev/build.ninja
	@cmake --build --preset dev
	@tools/run_tests $(BUILD)/dev -L 'unit|cli|fuzz|smoke'

bench: all
	@cmake --build --preset release
	@bench/run $(BUILD)/release

# libFuzzer over every harness of tests/fuzz, SECONDS for all of them together; with COVERAGE=1 a table of what they reach.
SECONDS ?= 1800
fuzz:
	@tools/install_deps build fuzz
	@$(MAKE) --no-print-directory $(BUILD)/fuzz/build.ninja $(if $(COVERAGE),$(BUILD)/coverage/build.ninja)
	@cmake --build --preset fuzz
	@$(if $(COVERAGE),cmake --build --preset coverage)
	@tools/run_fuzzers $(BUILD)/fuzz $(SECONDS); status=$$?; \
		$(if $(COVERAGE),tools/fuzz_coverage $(BUILD)/coverage $(BUILD)/fuzz/found &&) exit $$status

install: all
	@DESTDIR=$(DESTDIR) tools/install_files install $(BUILD)/release $(PREFIX)

uninstall:
	@DESTDIR=$(DESTDIR) tools/install_files uninstall $(BUILD)/release $(PREFIX)

# One file for every distribution, and packages of it, in build/dist/ (docs/howto-release.md). DIST_ARCH: the processors.
DIST_ARCH ?= x86_64 aarch64
dist:
	@tools/install_deps build dist
	@tools/dist/make $(BUILD) $(DIST_ARCH)

# wperf.exe for x64 in build/windows-x64/, by MinGW (docs/windows.md). WINDOWS_LIBS: where what it is linked with is kept.
WINDOWS_LIBS ?= $(CURDIR)/$(BUILD)/windows-libs/x86_64
windows:
	@tools/install_deps build windows
	@tools/windows_libs x86_64 $(WINDOWS_LIBS)
	@WPERF_WINDOWS_LIBS=$(WINDOWS_LIBS) $(MAKE) --no-print-directory $(BUILD)/windows-x64/build.ninja
	@cmake --build --preset windows-x64

format:
	@clang-format-14 -i $$(git ls-files '*.c' '*.h')

clean:
	@rm -rf $(BUILD)
