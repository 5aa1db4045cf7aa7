with Ada.Finalization;
with Ada.Text_IO; use Ada.Text_IO;
with Peer; use Peer;

package body Cases is
   type Guard is new Ada.Finalization.Limited_Controlled with null record;

   overriding procedure Finalize (G : in out Guard) is
      pragma Unreferenced (G);
   begin
      Put_Line ("  finalized");
   end Finalize;

   procedure Nothing is null;

   procedure Refuse is
      G : Guard;
      pragma Unreferenced (G);
   begin
      raise Refused with "message 6";
   end Refuse;

   procedure Refuse_Through is
   begin
      Through (Refuse'Access);
   end Refuse_Through;

   procedure Refuse_Again is
   begin
      Thrown_On (Refuse_Through'Access);
   end Refuse_Again;

   procedure Raise_Through is
   begin
      Through (Raise_Circ'Access);
   end Raise_Through;

   --  No handler of Ada fits.
   procedure Finalize_And_Pass is
      G : Guard;
      pragma Unreferenced (G);
   begin
      Raise_Through;
   exception
      when Refused | Constraint_Error =>
         Put_Line ("  taken for Ada's");
   end Finalize_And_Pass;

   procedure Others_And_Pass is
   begin
      Raise_Through;
   exception
      when others =>
         Put_Line ("  others");
         raise;
   end Others_And_Pass;
end Cases;
