--  Library level, so that Peer.Code may point to them.
package Cases is
   Refused : exception;

   procedure Nothing with Convention => C;
   procedure Refuse with Convention => C;
   procedure Refuse_Through with Convention => C;
   procedure Refuse_Again with Convention => C;
   procedure Raise_Through with Convention => C;
   procedure Finalize_And_Pass with Convention => C;
   procedure Others_And_Pass with Convention => C;
end Cases;
