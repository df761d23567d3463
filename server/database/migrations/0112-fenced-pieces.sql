-- Ends the transaction of a piece whose job is not what the piece took it to be (server/jobs/statements.ts).
create function refuse_piece() returns text language plpgsql as $$
begin
  raise exception 'the job of this piece is claimed, cancelled or allowed otherwise by now' using errcode = 'PJ001';
end $$;
