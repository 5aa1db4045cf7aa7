"""Arrays of objects: of a fixed count, of one known at run time, on the heap."""
from .pieces import Pieces


class Arrays(Pieces):
    def array(self, ctx):
        """{ Elem a[n]; … } or of arrays, or of objects whose destructors throw."""
        count, wild = self.rng.choice((0, 1, 2, 3, 5)), self.rng.random() < 0.4
        rows = self.rng.choice((0, 0, 2))
        a, kind = self.name("a"), "Wild" if wild else "Elem"
        array = f"!cir.array<!rec_Obj x {count}>"
        if rows:
            array = f"!cir.array<{array} x {rows}>"
        self.cir.open("cir.scope {")
        self.cir.put(f'%{a} = cir.alloca "{a}" align(4) init : !cir.ptr<{array}>')
        self.cpp.open("{")
        self.array_op("ctor", f"%{a} : !cir.ptr<{array}>", wild)
        self.cpp.put(f"{kind} {a}[{rows}][{count}];" if rows else f"{kind} {a}[{count}];")
        return self.with_array(ctx, f"%{a} : !cir.ptr<{array}>", wild)

    def dynamic_array(self, ctx):
        """{ Elem *a = new Elem[n]; … delete[] a; }, n from 0 to 3, or of arrays: their elements in one run."""
        a, n, wild = self.name("a"), self.name("n"), self.rng.random() < 0.4
        kind = "Wild" if wild else "Elem"
        row = self.rng.choice((1, 1, 2))
        storage = f"!cir.ptr<!cir.array<!rec_Obj x {3 * row}>>"
        self.cir.open("cir.scope {")
        self.cir.put(f'%{a}s = cir.alloca "{a}" align(4) init : {storage}')
        self.cir.put(f"%{a} = cir.cast array_to_ptrdecay %{a}s : {storage} -> !cir.ptr<!rec_Obj>")
        picked, rows, elements = self.call("pick", result=True), self.value(), self.value()
        self.cir.put(f"{rows} = cir.and {picked}, {self.const(3)} : !s32i")
        self.cir.put(f"{elements} = cir.mul {rows}, {self.const(row)} : !s32i")
        self.cir.put(f"%{n} = cir.cast integral {elements} : !s32i -> !u64i")
        self.cpp.open("{")
        self.cpp.put(f"int {n} = pick() & 3;")
        operands = f"%{a}, %{n} : !cir.ptr<!rec_Obj>, !u64i"
        self.array_op("ctor", operands, wild)
        self.cpp.put(f"Elements<{kind}{f'[{row}]' if row > 1 else ''}> {a}({n});")
        return self.with_array(ctx, operands, wild)

    def heap_array(self, ctx):
        """{ Elem *a = new Elem[n]; … delete[] a; } with their number in front of them, n from 0 to 3."""
        a, n, wild = self.name("a"), self.name("n"), self.rng.random() < 0.4
        pointer = "!cir.ptr<!rec_Obj>"
        self.cir.open("cir.scope {")
        masked, payload, size = self.value(), self.value(), self.value()
        picked = self.call("pick", result=True)
        self.cir.put(f"{masked} = cir.and {picked}, {self.const(3)} : !s32i")
        self.cir.put(f"%{n} = cir.cast integral {masked} : !s32i -> !u64i")
        four, eight = self.value(), self.value()
        self.cir.put(f"{four} = cir.const #cir.int<4> : !u64i")
        self.cir.put(f"{eight} = cir.const #cir.int<8> : !u64i")
        self.cir.put(f"{payload} = cir.mul %{n}, {four} : !u64i")
        self.cir.put(f"{size} = cir.add {payload}, {eight} : !u64i")
        self.cir.put(f"%{a}m = cir.call @array_new({size}) : (!u64i) -> !cir.ptr<!void>")
        self.cir.put(f"%{a}c = cir.cast bitcast %{a}m : !cir.ptr<!void> -> !cir.ptr<!u64i>")
        self.cir.put(f"cir.store %{n}, %{a}c : !u64i, !cir.ptr<!u64i>")
        one = self.const(1)
        self.cir.put(f"%{a}e = cir.ptr_stride %{a}c, {one} : (!cir.ptr<!u64i>, !s32i) -> !cir.ptr<!u64i>")
        self.cir.put(f"%{a} = cir.cast bitcast %{a}e : !cir.ptr<!u64i> -> {pointer}")
        self.cpp.open("{")
        self.cpp.put(f"int {n} = pick() & 3;")
        self.cpp.put(f"HeapElements<{'Wild' if wild else 'Elem'}> {a}({n});")
        self.cir.open("cir.cleanup.scope {")
        self.array_op("ctor", f"%{a}, %{n} : {pointer}, !u64i", wild)
        self.cir.put("cir.yield")
        self.cir.close("} cleanup eh {")
        self.cir.depth += 1
        self.cir.put(f"cir.call @array_delete(%{a}m, {size}) : (!cir.ptr<!void>, !u64i) -> ()")
        self.cir.put("cir.yield")
        self.cir.close()
        flag, dtor = (" dtor_may_throw", "wild_dtor") if wild else ("", "elem_dtor")
        attrs = f"delete_fn = @array_delete, delete_params = #cir.usual_delete_params<size = true>, element_dtor = @{dtor}"
        return self.with_array(ctx, None, wild, lambda: self.cir.put(f"cir.delete_array %{a} : {pointer}{flag} {{{attrs}}}"))

    def array_op(self, what, operands, wild):
        flag = " dtor_may_throw" if what == "dtor" and wild else ""
        dtor = "wild_dtor" if wild else "elem_dtor"
        self.cir.open(f"cir.array.{what} {operands}{flag} {{")
        self.element_region("elem_ctor" if what == "ctor" else dtor)
        if what == "ctor":
            self.cir.close("} partial_dtor {")
            self.cir.depth += 1
            self.element_region(dtor)
        self.cir.close()

    def element_region(self, function):
        e = self.value()
        self.cir.put(f"^bb0({e}: !cir.ptr<!rec_Obj>):")
        self.call(function, (e, "!cir.ptr<!rec_Obj>"))
        self.cir.put("cir.yield")

    def with_array(self, ctx, operands, wild, destroy=None):
        alive = self.cleanup_scope(ctx, "all", destroy or (lambda: self.array_op("dtor", operands, wild)))
        if not alive:
            self.dead_end()
        self.cir.close()
        self.cpp.close()
        if not alive:
            self.dead_end()
        return alive
