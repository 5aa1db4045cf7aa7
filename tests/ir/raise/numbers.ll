; Floating-point numbers, whose text is read again: it has a fraction.
; RUN: %circ --emit=abi %s -o %t.cir
; RUN: FileCheck %s < %t.cir
; RUN: %circ --emit=llvm %t.cir -o - | FileCheck %s --check-prefix=LLVM
; CHECK: #cir.fp<1.0e+17> : !cir.double, #cir.fp<-2.0000000000000001e-300> : !cir.double, #cir.fp<1.5000000000000001e+300> : !cir.double, #cir.fp<3.0> : !cir.double, #cir.fp<0.25> : !cir.double
; LLVM: @numbers = {{.*}} [double 1.000000e+17, double -2.000000e-300, double 1.500000e+300, double 3.000000e+00, double 2.500000e-01]
target triple = "x86_64-unknown-linux-gnu"
@numbers = constant [5 x double] [double 1.0e17, double -2.0e-300, double 1.5e300, double 3.0, double 0.25]
