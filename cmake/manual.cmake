# The manual page and the completions of shells, made of src/driver/options.def and installed where each is looked for.
file(GLOB manual_sources CONFIGURE_DEPENDS src/manual/*.c)
add_executable(circ-manual ${manual_sources})
circ_compile_options(circ-manual)

set(manual_folder ${PROJECT_BINARY_DIR}/manual)
file(MAKE_DIRECTORY ${manual_folder})
set(manual_outputs "")
function(circ_manual kind name destination)
	add_custom_command(OUTPUT ${manual_folder}/${name}
		COMMAND circ-manual ${kind} > ${manual_folder}/${name}
		DEPENDS circ-manual
		COMMENT "Writing ${name}"
		VERBATIM)
	install(FILES ${manual_folder}/${name} DESTINATION ${destination} ${ARGN})
	set(manual_outputs ${manual_outputs} ${manual_folder}/${name} PARENT_SCOPE)
endfunction()
circ_manual(man circ.1 ${CMAKE_INSTALL_MANDIR}/man1)
circ_manual(bash circ.bash ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME circ)
circ_manual(zsh _circ ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
circ_manual(fish circ.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
add_custom_target(manual ALL DEPENDS ${manual_outputs})
