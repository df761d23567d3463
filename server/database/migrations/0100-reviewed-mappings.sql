-- Who has looked at a mapping and agrees with it.
alter table requirement_mappings add column reviewed_by text;
