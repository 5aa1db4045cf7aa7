# The files of src/view/page as arrays of bytes: view_html, view_style, view_script (src/view/page_files.h).
# As a script (cmake -P) it writes one C file; included, it adds that to a target.
if(CMAKE_SCRIPT_MODE_FILE)
	set(text "#include \"view/page_files.h\"\n")
	foreach(what html style script)
		set(hex "")
		foreach(file IN LISTS ${what})
			file(READ ${file} part HEX)
			string(APPEND hex ${part})
		endforeach()
		string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
		string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
		string(APPEND text "const unsigned char view_${what}[] = {\n${hex}0};\nconst size_t view_${what}_size = sizeof view_${what} - 1;\n")
	endforeach()
	file(WRITE ${out} "${text}")
	return()
endif()

set(view_page ${PROJECT_SOURCE_DIR}/src/view/page)
# In the order in which they depend on each other.
set(view_scripts data columns rows graph blocks throw tables keys main)
list(TRANSFORM view_scripts REPLACE "(.+)" "${view_page}/\\1.js")
set(view_inputs ${view_page}/page.html ${view_page}/style.css ${view_scripts})
set(view_files ${PROJECT_BINARY_DIR}/view_page_files.c)
string(REPLACE ";" "\\;" view_scripts_argument "${view_scripts}")
add_custom_command(OUTPUT ${view_files}
	COMMAND ${CMAKE_COMMAND} -Dhtml=${view_page}/page.html -Dstyle=${view_page}/style.css
		"-Dscript=${view_scripts_argument}" -Dout=${view_files} -P ${CMAKE_CURRENT_LIST_FILE}
	DEPENDS ${view_inputs} ${CMAKE_CURRENT_LIST_FILE} VERBATIM)
circ_objects(circ_view view)
target_sources(circ_view PRIVATE ${view_files})
target_include_directories(circ_view SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
