-- What a row would change, field by field, as it was planned.

alter table bulk_change_rows add column changes jsonb not null default '[]';
