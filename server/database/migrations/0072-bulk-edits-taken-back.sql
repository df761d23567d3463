-- Of a selection: what this record is changed to, where not all are changed alike; what would take it back once it is
-- written, and on which version.

alter table bulk_change_rows
  add column change jsonb,
  add column back jsonb,
  add column written_version integer;
