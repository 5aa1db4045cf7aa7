--  What the functions of tests/e2e/programs/interop.cir call, and they.
with Interfaces.C; use Interfaces.C;

package Peer is
   type Code is access procedure with Convention => C;

   procedure Raise_Circ with Import, Convention => C, External_Name => "raise"; --  an object 5
   procedure Through (Run : Code) with Import, Convention => C, External_Name => "through";
   procedure Asked (Run : Code) with Import, Convention => C, External_Name => "asked";
   procedure Handled (Run, Handler : Code) with Import, Convention => C, External_Name => "handled";
   procedure Thrown_On (Run : Code) with Import, Convention => C, External_Name => "thrown_on";

   procedure Cleanup (N : int) with Export, Convention => C, External_Name => "cleanup";
   procedure Caught (N : int) with Export, Convention => C, External_Name => "caught";
   procedure Done (N : int) with Export, Convention => C, External_Name => "done";
   procedure Saw_Int (N : int) with Export, Convention => C, External_Name => "saw_int";
   procedure Released (Object : access int) with Export, Convention => C, External_Name => "released";
end Peer;
