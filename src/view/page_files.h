/* view/page_files.h: the files of page/, which cmake/view.cmake makes an array of. Private to src/view. */
#ifndef CIRC_VIEW_PAGE_FILES_H
#define CIRC_VIEW_PAGE_FILES_H

#include <stddef.h>

extern const unsigned char view_html[], view_style[], view_script[];
extern const size_t view_html_size, view_style_size, view_script_size;

#endif
