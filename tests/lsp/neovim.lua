-- circ lsp by Neovim's own client, as docs/editors.md sets it up: nvim --headless -u NONE -c 'luafile neovim.lua', with $PAGE, that page, and
-- $CIR_FILE, sum.cir. Says what is wrong, and ends with 1.
local failures = {}
local function expect(what, found, wanted)
	if not vim.deep_equal(found, wanted) then
		table.insert(failures, what .. "\n  found    " .. vim.inspect(found) .. "\n  expected " .. vim.inspect(wanted))
	end
end

local function ask(method, line, character, more)
	local params = { textDocument = vim.lsp.util.make_text_document_params(0), position = { line = line, character = character } }
	local answers = vim.lsp.buf_request_sync(0, method, vim.tbl_extend("force", params, more or {}), 20000)
	local _, answer = next(answers or {})
	return answer and answer.result, answer and answer.error
end

local function messages()
	return vim.tbl_map(function(d) return { d.lnum, d.col, d.message } end, vim.diagnostic.get(0))
end

local function main()
	local page = table.concat(vim.fn.readfile(vim.env.PAGE), "\n")
	assert(loadstring(page:match("```lua\n(.-)```")))()
	vim.cmd("edit " .. vim.env.CIR_FILE)
	expect("ready", vim.wait(20000, function() return next(vim.lsp.buf_get_clients(0)) ~= nil end), true)
	local client = next(vim.lsp.buf_get_clients(0))
	local found = ask("textDocument/definition", 2, 18)
	expect("definition", found and found.range.start, { line = 1, character = 12 })
	local hover = ask("textDocument/hover", 2, 4)
	expect("hover", hover ~= nil and hover.contents.value:find("%sum : !cir.int<s, 32>", 1, true) ~= nil, true)
	local edit = ask("textDocument/rename", 2, 4, { newName = "total" })
	vim.lsp.util.apply_workspace_edit(edit, "utf-16")
	expect("renamed", vim.api.nvim_buf_get_lines(0, 2, 4, true), { "  %total = cir.add %n, %n : !s32i", "  cir.return %total : !s32i" })
	vim.api.nvim_buf_set_text(0, 3, 13, 3, 19, { "%totel" })
	local wanted = { { 3, 13, "value '%totel' is not defined; did you mean '%total'?" } }
	vim.wait(20000, function() return vim.deep_equal(messages(), wanted) end)
	expect("diagnostics", messages(), wanted)
	vim.api.nvim_buf_set_text(0, 3, 13, 3, 19, { "%total" })
	expect("no diagnostics", vim.wait(20000, function() return #messages() == 0 end), true)
	vim.lsp.stop_client(client)
	expect("stopped", vim.wait(20000, function() return vim.lsp.client_is_stopped(client) end), true)
end

local ok, message = xpcall(main, debug.traceback)
if not ok then
	table.insert(failures, message)
end
io.stdout:write(table.concat(failures, "\n") .. "\n")
vim.cmd(#failures == 0 and "qall!" or "cquit! 1")
