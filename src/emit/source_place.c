#include "emit/source_place.h"

#include <llvm-c/Core.h>

enum { NODE_NUMBER, NODE_FILE, NODE_LINE, NODE_COLUMN, NODE_POS, NODE_LEN };

Place place_of(const Diags *d, LLVMValueRef node)
{
	LLVMValueRef parts[NODE_LEN];
	unsigned len = 0;
	Place p = {.info = {.kind = LOC_FILE, .depth = 1}};
	if (!node || LLVMGetMDNodeNumOperands(node) != NODE_LEN)
		return p;
	LLVMGetMDNodeOperands(node, parts);
	p.number = LLVMConstIntGetZExtValue(parts[NODE_NUMBER]);
	p.info.name.data = LLVMGetMDString(parts[NODE_FILE], &len);
	p.info.name.len = len;
	p.info.line = (uint32_t)LLVMConstIntGetZExtValue(parts[NODE_LINE]);
	p.info.col = (uint32_t)LLVMConstIntGetZExtValue(parts[NODE_COLUMN]);
	p.pos = d->source ? (uint32_t)LLVMConstIntGetZExtValue(parts[NODE_POS]) : 0;
	return p;
}

Place place_of_function(const Diags *d, LLVMValueRef function, unsigned kind)
{
	size_t n;
	LLVMValueRef node = NULL;
	LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(function, &n);
	for (unsigned i = 0; i < n; i++)
		if (LLVMValueMetadataEntriesGetKind(entries, i) == kind)
			node = LLVMMetadataAsValue(LLVMGetTypeContext(LLVMTypeOf(function)),
			                           LLVMValueMetadataEntriesGetMetadata(entries, i));
	LLVMDisposeValueMetadataEntries(entries);
	return place_of(d, node);
}
