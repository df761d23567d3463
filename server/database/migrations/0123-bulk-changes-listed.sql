-- Changes of many records are listed: the latest first, each with how many of its rows come to what. That is counted
-- when nothing is at its rows any more; null where it has to be counted on reading.

alter table bulk_changes add column counted jsonb;
create index bulk_changes_latest on bulk_changes (organization_id, created_at desc, id desc);
