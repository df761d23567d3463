-- In which row of a file the names of its columns stand, and what stands in the rows at its top.
alter table bulk_changes add column head_row integer;
alter table bulk_changes add column top jsonb not null default '[]';
