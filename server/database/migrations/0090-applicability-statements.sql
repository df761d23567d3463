-- Statements of applicability as they were approved: the text that was hashed, to the letter.

alter table frameworks add column statement jsonb;

create table applicability_statements (
  organization_id text collate "C" not null,
  framework_id text collate "C" not null,
  version integer not null,
  approved_at timestamptz not null,
  approved_by jsonb not null,
  sha256 text not null,
  content text not null,
  primary key (organization_id, framework_id, version),
  foreign key (organization_id, framework_id) references frameworks (organization_id, id) on delete cascade
);
alter table applicability_statements enable row level security, force row level security;
create policy tenant on applicability_statements to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert on applicability_statements to plumbline_tenant;
