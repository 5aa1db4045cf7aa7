"""Where in the CIR an address of a program is, by the program's own debug information."""
import json
import subprocess


class Places:
	"""Of ELF and windows-gnu: what llvm-symbolizer reads of DWARF. at() gives (function, file, line, column) of the call and, where it was inlined,
	of the calls of its functions, inner first."""

	def __init__(self, symbolizer, program, addresses):
		text = "".join(f"{address:#x}\n" for address in sorted(addresses))
		command = [symbolizer, f"--obj={program}", "--output-style=JSON", "--no-demangle"]
		done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=120, check=True)
		self.known = {}
		for line in done.stdout.splitlines():
			row = json.loads(line)
			self.known[int(row["Address"], 16)] = [self.place(symbol) for symbol in row.get("Symbol", ())]

	@staticmethod
	def place(symbol):
		return symbol["FunctionName"], symbol["FileName"], symbol["Line"], symbol["Column"]

	def at(self, address):
		return self.known.get(address, [])


class ObjectPlaces:
	"""Of windows-msvc: the line that the object's own CodeView has for the call. It has no columns, and of what was inlined one place only."""

	def __init__(self, program, inside, site_over):
		self.program, self.inside, self.site_over = program, inside, site_over

	def at(self, address):
		function = self.program.function_over(address)
		symbol = function and function.get("symbol")
		found = self.inside.by_symbol[symbol] if symbol else ()
		if len(found) != 1:
			return []
		site = self.site_over(found[0], address - function.get("address", 0))
		return [(self.program.root(function).get("symbol"), site.get("file", ""), site.get("line", 0), 0)] if site else []
