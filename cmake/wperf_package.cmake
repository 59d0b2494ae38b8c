# What is linked in statically has licences of its own: Debian's files about them go into licenses/, and the texts they refer to.
if(WPERF_STATIC)
  set(share ${CMAKE_SYSROOT}/usr/share)
  foreach(library libbpf libbz2 libcapstone libdw libelf libiberty liblzma libncurses libpfm4 libtraceevent libzstd zlib1g libc6)
    install(FILES ${share}/doc/${library}-dev/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR}/licenses RENAME ${library})
  endforeach()
  file(GLOB texts ${share}/common-licenses/*GPL-[23]*)
  install(FILES ${texts} DESTINATION ${CMAKE_INSTALL_DOCDIR}/licenses)
  install(FILES ${share}/doc/sources DESTINATION ${CMAKE_INSTALL_DOCDIR}/licenses OPTIONAL)
endif()

# `cpack` in a build folder packs what `cmake --install` installs, for the architecture that was built for: an archive and a Debian
# package; `cpack -G RPM` an RPM (with rpmbuild). package_config.cmake is what differs between them.
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_NAME wperf)
set(CPACK_PACKAGE_VENDOR "the wperf authors")
set(CPACK_PACKAGE_CONTACT "the wperf authors <wperf@wperf.invalid>")
if(DEFINED ENV{DEBEMAIL})
  set(CPACK_PACKAGE_CONTACT "the wperf authors <$ENV{DEBEMAIL}>")
endif()
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "CPU profiler for native code and Python")
set(CPACK_PACKAGE_DESCRIPTION "wperf counts and samples events of processors and of the kernel, and says on
which native function, source line, instruction and Python line they happened,
in any running or started program. It writes and reads perf.data files.")
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PACKAGE_FILE_NAME wperf-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
if(WPERF_STATIC STREQUAL "ALL")
  string(APPEND CPACK_PACKAGE_FILE_NAME -static)
endif()
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_CURRENT_SOURCE_DIR}/LICENSE)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_SOURCE_DIR}/cmake/package_config.cmake)
set(CPACK_WPERF_PROGRAM ${CMAKE_BINARY_DIR}/wperf)
set(CPACK_WPERF_STATIC ${WPERF_STATIC})

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libcurl4, libdebuginfod1")
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE amd64)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
endif()

set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_LICENSE BSD-3-Clause)
set(CPACK_RPM_PACKAGE_ARCHITECTURE ${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_RPM_SPEC_MORE_DEFINE "%define _build_id_links none")
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION /usr/share/man /usr/share/man/man1
  /usr/share/bash-completion /usr/share/bash-completion/completions
  /usr/share/zsh /usr/share/zsh/site-functions /usr/share/zsh/vendor-completions /usr/share/fish /usr/share/fish/vendor_completions.d)
include(CPack)
