# How C is compiled here: language level, warnings, sanitizers.

set(CIRC_WARNINGS
	-Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition
	-Wundef -Wpointer-arith -Wwrite-strings -Wvla
	-Wformat=2 -Wno-format-nonliteral -Wimplicit-fallthrough)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
	list(APPEND CIRC_WARNINGS -Wlogical-op -Wduplicated-cond -Wno-missing-field-initializers)
else()
	# Conversions are left to clang: gcc warns of every store into a bit-field. string: CHECK(!"cannot be").
	# format attributes: wanted on what is called with a format, not on the helper with a va_list behind it.
	list(APPEND CIRC_WARNINGS -Wno-missing-field-initializers -Wconversion -Wno-sign-conversion
		-Wno-string-conversion -Wno-missing-format-attribute -Wno-unknown-warning-option)
endif()

# Warnings, sanitizers and language level of one target; everything of ours is compiled like this.
function(circ_compile_options target)
	set_target_properties(${target} PROPERTIES
		C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
		C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
	target_compile_definitions(${target} PRIVATE _GNU_SOURCE CIRC_VERSION="${PROJECT_VERSION}")
	target_compile_options(${target} PRIVATE ${CIRC_WARNINGS} $<$<BOOL:${CIRC_WERROR}>:-Werror>)
	target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
	circ_sanitize(${target})
endfunction()

function(circ_sanitize)
	if(NOT CIRC_SANITIZE)
		return()
	endif()
	foreach(target IN LISTS ARGN)
		target_compile_options(${target} PRIVATE
			-fsanitize=${CIRC_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
		target_link_options(${target} PUBLIC -fsanitize=${CIRC_SANITIZE})
	endforeach()
endfunction()

# circ_objects(NAME FOLDER...): an object library of every C file in these folders of src/. A folder may be missing.
function(circ_objects name)
	set(sources "")
	foreach(folder IN LISTS ARGN)
		file(GLOB found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*.c)
		list(APPEND sources ${found})
	endforeach()
	if(NOT sources)
		file(WRITE ${PROJECT_BINARY_DIR}/${name}_empty.c "typedef int ${name}_is_empty;\n")
		set(sources ${PROJECT_BINARY_DIR}/${name}_empty.c)
	endif()
	add_library(${name} OBJECT ${sources})
	circ_compile_options(${name})
endfunction()
