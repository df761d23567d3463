-- A text of a policy may show pictures, which are files as well: a version has several.
alter table policy_version_files
  drop constraint policy_version_files_pkey,
  add primary key (organization_id, version_id, file_id);
