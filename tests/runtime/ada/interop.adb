--  Ada's exceptions through functions of circ, and circ's through Ada; tests/runtime/ada.py.
with Ada.Exceptions; use Ada.Exceptions;
with Ada.Text_IO;    use Ada.Text_IO;
with Cases;          use Cases;
with Peer;           use Peer;

procedure Interop is
   procedure Catch_Ada (Run : Code) is
   begin
      Asked (Run);
   exception
      when E : Refused =>
         Put_Line ("  Refused: " & Exception_Message (E));
   end Catch_Ada;

   procedure Catch_Circ (Run : Code) is
   begin
      Asked (Run);
   exception
      when others =>
         Put_Line ("  others");
   end Catch_Circ;
begin
   Put_Line ("Ada's through a cleanup, a finally and a filter");
   Catch_Ada (Refuse_Through'Access);
   Put_Line ("Ada's caught and thrown on by circ");
   Catch_Ada (Refuse_Again'Access);
   Put_Line ("Ada's caught by circ");
   Handled (Refuse_Through'Access, Nothing'Access);
   Put_Line ("circ's caught by Ada");
   Catch_Circ (Raise_Through'Access);
   Put_Line ("circ's through Ada, whose handlers do not fit");
   Handled (Finalize_And_Pass'Access, Nothing'Access);
   Put_Line ("circ's caught and raised again by Ada");
   Handled (Others_And_Pass'Access, Nothing'Access);
   Put_Line ("end");
end Interop;
