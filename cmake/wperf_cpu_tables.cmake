# data/events/*.json -> generated/cpu_tables.c, by tools/make_cpu_tables.c. That program runs here, also when wperf is built for another
# machine, so this machine's compiler makes it.
function(wperf_add_cpu_tables library)
  set(host_cc ${CMAKE_C_COMPILER})
  if(CMAKE_CROSSCOMPILING)
    find_program(HOST_CC NAMES cc gcc clang NO_CMAKE_FIND_ROOT_PATH REQUIRED)
    set(host_cc ${HOST_CC})
  endif()
  set(program ${CMAKE_BINARY_DIR}/generated/make_cpu_tables)
  set(tables ${CMAKE_BINARY_DIR}/generated/cpu_tables.c)
  set(code ${CMAKE_SOURCE_DIR}/tools/make_cpu_tables.c)
  foreach(noun arena char_widths err file json mem str utf8 vec)
    list(APPEND code ${CMAKE_SOURCE_DIR}/src/base/${noun}.c)
  endforeach()
  file(GLOB data CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/data/events/*.json)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/generated)
  add_custom_command(OUTPUT ${program}
    COMMAND ${host_cc} -std=gnu17 -O1 -D_GNU_SOURCE -I${CMAKE_SOURCE_DIR}/src -o ${program} ${code}
    DEPENDS ${code} VERBATIM)
  add_custom_command(OUTPUT ${tables}
    COMMAND ${program} ${tables} ${data}
    DEPENDS ${program} ${data} VERBATIM)
  target_sources(${library} PRIVATE ${tables})
endfunction()
