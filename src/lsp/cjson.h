/* lsp/cjson.h: cJSON, loaded when the server starts: the command links no library for the sake of `circ lsp`, since to load one takes a
 * part of the time that each start of the command takes.
 *
 * The functions of cJSON are macros here, for pointers that lsp_load() sets. A function that is new to this room is a row of the list
 * and a macro. */
#ifndef CIRC_LSP_CJSON_H
#define CIRC_LSP_CJSON_H

#include <cjson/cJSON.h>

#define CJSON_LIBRARY "libcjson.so.1"

#define CJSON_FUNCTIONS(X)                                                                                   \
	X(AddArrayToObject)                                                                                  \
	X(AddBoolToObject)                                                                                   \
	X(AddItemToArray)                                                                                    \
	X(AddItemToObject)                                                                                   \
	X(AddNumberToObject)                                                                                 \
	X(AddObjectToObject)                                                                                 \
	X(AddStringToObject)                                                                                 \
	X(CreateArray)                                                                                       \
	X(CreateNull)                                                                                        \
	X(CreateObject)                                                                                      \
	X(CreateString)                                                                                      \
	X(CreateStringArray)                                                                                 \
	X(Delete)                                                                                            \
	X(Duplicate)                                                                                         \
	X(GetArrayItem)                                                                                      \
	X(GetObjectItemCaseSensitive)                                                                        \
	X(GetStringValue)                                                                                    \
	X(IsNumber)                                                                                          \
	X(IsTrue)                                                                                            \
	X(ParseWithLength)                                                                                   \
	X(PrintUnformatted)                                                                                  \
	X(free)

typedef struct CJsonFunctions {
#define X(name) __typeof__(&cJSON_##name) name;
	CJSON_FUNCTIONS(X)
#undef X
} CJsonFunctions;

extern CJsonFunctions cjson;

#define cJSON_AddArrayToObject           cjson.AddArrayToObject
#define cJSON_AddBoolToObject            cjson.AddBoolToObject
#define cJSON_AddItemToArray             cjson.AddItemToArray
#define cJSON_AddItemToObject            cjson.AddItemToObject
#define cJSON_AddNumberToObject          cjson.AddNumberToObject
#define cJSON_AddObjectToObject          cjson.AddObjectToObject
#define cJSON_AddStringToObject          cjson.AddStringToObject
#define cJSON_CreateArray                cjson.CreateArray
#define cJSON_CreateNull                 cjson.CreateNull
#define cJSON_CreateObject               cjson.CreateObject
#define cJSON_CreateString               cjson.CreateString
#define cJSON_CreateStringArray          cjson.CreateStringArray
#define cJSON_Delete                     cjson.Delete
#define cJSON_Duplicate                  cjson.Duplicate
#define cJSON_GetArrayItem               cjson.GetArrayItem
#define cJSON_GetObjectItemCaseSensitive cjson.GetObjectItemCaseSensitive
#define cJSON_GetStringValue             cjson.GetStringValue
#define cJSON_IsNumber                   cjson.IsNumber
#define cJSON_IsTrue                     cjson.IsTrue
#define cJSON_ParseWithLength            cjson.ParseWithLength
#define cJSON_PrintUnformatted           cjson.PrintUnformatted
#define cJSON_free                       cjson.free

#endif
