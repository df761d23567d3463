-- What comes first in the dates of a column, by who said it: offered to them with the next file that has such a column.

alter table import_columns add column dates jsonb not null default '{}';
