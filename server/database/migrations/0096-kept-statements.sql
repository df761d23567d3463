-- What was approved is kept to the letter: no framework is deleted from under it.
alter table applicability_statements
  drop constraint applicability_statements_organization_id_framework_id_fkey,
  add foreign key (organization_id, framework_id) references frameworks (organization_id, id);
