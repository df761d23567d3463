-- Which change of a selection another takes back.
alter table bulk_changes add column undoes text collate "C";
