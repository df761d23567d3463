-- Of a notice about several records which these are, as far as they are so few that somebody looks through them: it
-- leads to just those.
alter table notices add column record_ids text[] collate "C" not null default '{}';
