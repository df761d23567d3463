-- An index that ends in _unique holds a value that a caller can choose otherwise; the field that is told to them stands
-- between the name of the table and that (server/database/errors.ts).
alter index personnel_work_email rename to personnel_work_email_unique;
alter index personnel_user rename to personnel_user_id_unique;
alter index users_email rename to users_email_unique;
alter index sign_in_domains_verified rename to sign_in_domains_domain_unique;
alter index saved_views_name rename to saved_views_name_unique;

alter table risks rename constraint risks_organization_id_external_id_key to risks_external_id_unique;
alter table controls rename constraint controls_organization_id_external_id_key to controls_external_id_unique;
alter table personnel rename constraint personnel_organization_id_external_id_key to personnel_external_id_unique;
