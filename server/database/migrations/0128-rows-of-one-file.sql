-- Rows of a file may name what other rows of it add. Each is carried out in the turn behind theirs.
alter table bulk_change_rows
  add column awaits jsonb not null default '[]'::jsonb,
  add column turn integer not null default 0;
