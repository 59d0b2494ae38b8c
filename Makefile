# A short front for CMake. `make demo` and `make test` work on a fresh Debian or Ubuntu: they install what is missing first.
BUILD := build
PREFIX ?= /usr/local

.PHONY: all demo test test-quick bench install format clean deps fuzz

all: $(BUILD)/release/build.ninja
	@cmake --build --preset release --target wperf

$(BUILD)/%/build.ninja: CMakeLists.txt CMakePresets.json cmake/*.cmake
	@tools/install_deps build
	@cmake --preset $* >$(BUILD)-$*.log 2>&1 || { cat $(BUILD)-$*.log; exit 1; }
	@mv $(BUILD)-$*.log $(BUILD)/$*/configure.log

# Builds, profiles a real CPython, prints the report and keeps it in build/demo/.
demo: all
	@tools/install_deps demo
	@tools/demo $(BUILD)/release/wperf $(BUILD)/demo

# Every test this machine can run: the whole suite as developers build it, then once more under ASan and UBSan.
test:
	@tools/install_deps build demo test
	@$(MAKE) --no-print-directory $(BUILD)/dev/build.ninja $(BUILD)/asan/build.ninja
	@tests/tools/python_suites fetch & tests/tools/export_consumers fetch & \
		cmake --build --preset dev && cmake --build --preset asan; built=$$?; wait; exit $$built
	@tools/run_tests $(BUILD)/dev -- $(BUILD)/asan -LE 'house|oracle|measured'

# While working: units and goldens of the dev build.
test-quick: $(BUILD)/dev/build.ninja
	@cmake --build --preset dev
	@tools/run_tests $(BUILD)/dev -L 'unit|cli|fuzz'

bench: all
	@cmake --build --preset release
	@bench/run $(BUILD)/release

# A minute of libFuzzer for each format.
fuzz: $(BUILD)/fuzz/build.ninja
	@cmake --build --preset fuzz
	@tools/run_fuzzers $(BUILD)/fuzz 60

install: all
	@DESTDIR=$(DESTDIR) cmake --install $(BUILD)/release --prefix $(PREFIX)

format:
	@clang-format-14 -i $$(git ls-files '*.c' '*.h')

clean:
	@rm -rf $(BUILD)
