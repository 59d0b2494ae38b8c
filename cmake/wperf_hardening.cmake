# Code that runs as root on bytes of strangers: what compiler and linker can do about mistakes in it. Not for the sanitizers, which do
# more, nor for BPF programs, which the kernel verifies. tests/house/test_hardening.sh looks whether the program has it.
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)

foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection=full -mbranch-protection=standard)
  string(MAKE_C_IDENTIFIER "WPERF_HAS${flag}" has)
  set(CMAKE_REQUIRED_FLAGS -Werror)
  check_c_compiler_flag(${flag} ${has})
  if(${has})
    target_compile_options(wperf_flags INTERFACE ${flag})
  endif()
endforeach()

# Level 3 needs gcc 12 or clang, and glibc 2.34, which warn where it is too much. Without optimization there is none.
set(CMAKE_REQUIRED_FLAGS "-Werror -O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
check_c_source_compiles("#include <string.h>\nint main(int argc, char **argv) { return (int)strlen(argv[argc - 1]); }" WPERF_FORTIFY_3)
unset(CMAKE_REQUIRED_FLAGS)
set(fortify 2)
if(WPERF_FORTIFY_3)
  set(fortify 3)
endif()
target_compile_options(wperf_flags INTERFACE
  $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE> $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-D_FORTIFY_SOURCE=${fortify}>)

target_link_options(wperf_flags INTERFACE -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
