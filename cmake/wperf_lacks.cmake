# What this build does without, because a package is missing or was not wanted. It is said by configure, at the end of every build, and
# by the "-" features of `wperf --version`.
set(lacks "")
set(lacks_packages "")

# wperf_lacks(WHAT COST PACKAGE...)
macro(wperf_lacks what cost)
  string(APPEND lacks "without ${what}: ${cost}\n")
  list(APPEND lacks_packages ${ARGN})
endmacro()

# After everything has been looked for. The installation of a package configures again.
function(wperf_tell_lacks)
  set(dpkg_status /var/lib/dpkg/status)
  if(lacks_packages AND NOT CMAKE_CROSSCOMPILING AND EXISTS ${dpkg_status})
    list(JOIN lacks_packages " " names)
    string(APPEND lacks "to add that: sudo apt-get install -y --no-install-recommends ${names}, and build again\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${dpkg_status})
  endif()
  file(WRITE ${CMAKE_BINARY_DIR}/lacks.txt "${lacks}")
  if(lacks)
    string(STRIP "${lacks}" lacks)
    string(REPLACE "\n" "\n-- " lacks "${lacks}")
    message(STATUS "${lacks}")
    add_custom_target(wperf_lacks ALL COMMAND ${CMAKE_COMMAND} -E cat ${CMAKE_BINARY_DIR}/lacks.txt DEPENDS wperf
      COMMENT "what this build does without" VERBATIM)
  endif()
endfunction()
