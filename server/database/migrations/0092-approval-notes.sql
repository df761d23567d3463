-- What was said as a statement was approved, and whose it was: on paper an approved version stays the same to the byte.
alter table applicability_statements add column note text;
alter table applicability_statements add column organization_name text;
