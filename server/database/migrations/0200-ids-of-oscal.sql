-- Control ids of OSCAL are case-sensitive and cannot be derived from labels: exports name requirements by the ids of the
-- catalog that they were imported from, and the catalog by its own UUID. Requirements that were imported before get their
-- ids when the catalog is imported again.
alter table requirements add column source_id text;
alter table frameworks add column source_uuid text, add column source_href text;
