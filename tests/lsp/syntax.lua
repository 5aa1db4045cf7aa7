-- The colours of editors/vim: nvim --headless -u NONE --cmd 'set rtp+=editors/vim' -c 'luafile syntax.lua', with $FOLDERS of texts. Each name and
-- each operation has its group, and says so where it has not.
local GROUPS = { ["%"] = "cirValue", ["^"] = "cirBlock", ["@"] = "cirSymbol", ["!"] = "cirType", ["#"] = "cirAttribute" }
local failures, seen = {}, {}

local function expect(path, line, column, text, wanted)
	local found = vim.fn.synIDattr(vim.fn.synID(line, column, 1), "name")
	seen[wanted] = (seen[wanted] or 0) + 1
	if found ~= wanted then
		table.insert(failures, ("%s:%d:%d: '%s' is '%s', not '%s'"):format(path, line, column, text, found, wanted))
	end
end

local function check(path)
	vim.cmd("edit " .. vim.fn.fnameescape(path))
	for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, true)) do
		local bare = line:gsub('"[^"]*"', function(s) return ('"'):rep(#s) end):gsub("//.*", "")
		for at, sigil, name in bare:gmatch("()([%%^@!#])([%w_$.]+)") do
			expect(path, number, at, sigil .. name, GROUPS[sigil])
			expect(path, number, at + #name, sigil .. name, GROUPS[sigil])
		end
		for at, name, behind in bare:gmatch("()%f[%w!#]cir%.([%w_.]+)()") do
			local follows = bare:match("^%s*([=,}<]?)", behind)
			if follows == "=" then
				expect(path, number, at, "cir." .. name, "cirKey")
			elseif follows == "" then -- else a key that has no value, an operation at the end of its region, or an old type
				expect(path, number, at, "cir." .. name, "cirOperation")
			end
		end
	end
	vim.cmd("bwipeout!")
end

vim.cmd("filetype on | syntax on")
for _, folder in ipairs(vim.split(vim.env.FOLDERS, ":")) do
	for _, path in ipairs(vim.fn.glob(folder .. "/*.cir", true, true)) do
		check(path)
	end
end
for _, group in ipairs({ "cirValue", "cirBlock", "cirSymbol", "cirType", "cirAttribute", "cirOperation" }) do
	if (seen[group] or 0) < 100 then
		table.insert(failures, group .. " was seen " .. (seen[group] or 0) .. " times")
	end
end
io.stdout:write(table.concat(failures, "\n", 1, math.min(#failures, 20)) .. "\n")
vim.cmd(#failures == 0 and "qall!" or "cquit! 1")
