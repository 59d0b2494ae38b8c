# Run by cpack on the files of a Debian package: what Debian's policy asks of them. Manual pages and changelogs are compressed, and
# there is one of the package; what is linked statically on purpose is said.
set(root ${CPACK_TEMPORARY_DIRECTORY}/usr/share)
set(doc ${root}/doc/wperf)
file(RENAME ${doc}/CHANGELOG.md ${doc}/changelog)
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${doc}/changelog.Debian "wperf (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Packaged by its own build; see changelog.gz.

 -- ${CPACK_PACKAGE_CONTACT}  ${now}
")
file(GLOB compressed ${doc}/changelog ${doc}/changelog.Debian ${root}/man/man1/*.1)
execute_process(COMMAND gzip -9n ${compressed} COMMAND_ERROR_IS_FATAL ANY)
file(GLOB common ${doc}/licenses/*GPL-*)
if(common)
  file(REMOVE ${common})
endif()
set(overrides "# Not made for an upload to Debian.\nwperf: initial-upload-closes-no-bugs *\n")
if(CPACK_WPERF_STATIC)
  string(APPEND overrides "# One program for every version of Debian and Ubuntu, whose sonames differ.\nwperf: embedded-library *\n")
endif()
file(WRITE ${root}/lintian/overrides/wperf ${overrides})
file(GLOB_RECURSE files ${root}/lintian/* ${doc}/* ${root}/man/*)
file(CHMOD ${files} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
