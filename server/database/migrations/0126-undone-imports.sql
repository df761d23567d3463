-- An import is taken back as well: what it added goes, and what it changed is what it was. What a row has linked and
-- unlinked stands beside what it has written, since a link changes no record.

alter table bulk_change_rows
  add column linked jsonb,
  -- Of a row that takes another back: what that has linked, and whether its record goes.
  add column unlinks jsonb,
  add column deletes boolean not null default false,
  drop constraint bulk_change_rows_planned_check,
  drop constraint bulk_change_rows_done_check,
  add constraint bulk_change_rows_planned_check check (planned in ('create', 'change', 'delete', 'leave', 'error')),
  add constraint bulk_change_rows_done_check check (done in ('created', 'changed', 'deleted', 'unchanged', 'refused'));
create index bulk_changes_undoing on bulk_changes (organization_id, undoes) where undoes is not null;
