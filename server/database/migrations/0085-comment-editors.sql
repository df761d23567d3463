-- Who edited a comment last: what a program said may be edited by whoever it acts for.
alter table comments add column edited_by jsonb;

-- Whoever is removed leaves nothing of how they were told.
grant delete on notice_settings to plumbline_tenant;
