-- By which column the rows of a kind are matched with records: offered for the next file.
create table import_identities (
  organization_id text collate "C" not null references organizations (id),
  kind text collate "C" not null,
  identity text not null,
  primary key (organization_id, kind)
);
alter table import_identities enable row level security, force row level security;
create policy tenant on import_identities to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on import_identities to plumbline_tenant;

-- Why a row is left out of an import: by the user, where null.
alter table bulk_change_left_out add column reason text check (reason in ('total'));

-- Values of a row that match nothing and are left empty.
alter table bulk_change_rows add column emptied jsonb not null default '[]';
