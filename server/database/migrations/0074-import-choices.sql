-- What the words of a column that no choice is called by stand for, by what somebody said: taken so the next time.

alter table import_columns add column meanings jsonb not null default '{}';
