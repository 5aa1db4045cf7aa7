with Ada.Text_IO; use Ada.Text_IO;

package body Peer is
   procedure Say (What : String; N : int) is
   begin
      Put_Line ("  " & What & int'Image (N));
   end Say;

   procedure Cleanup (N : int) is
   begin
      Say ("cleanup", N);
   end Cleanup;

   procedure Caught (N : int) is
   begin
      Say ("caught", N);
   end Caught;

   procedure Done (N : int) is
   begin
      Say ("done", N);
   end Done;

   procedure Saw_Int (N : int) is
   begin
      Say ("int", N);
   end Saw_Int;

   procedure Released (Object : access int) is
   begin
      Say ("released", Object.all);
   end Released;
end Peer;
