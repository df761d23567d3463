-- The parts that came of a file that is not finished, each with where the store has it: for as many as there are, one
-- more is one row and not all of them anew. Parts that came before are sent again, as of a file that was begun anew.
create table file_parts (
  organization_id text collate "C" not null,
  file_id text collate "C" not null,
  number integer not null check (number > 0),
  -- As the store calls it.
  place text collate "C" not null,
  primary key (organization_id, file_id, number),
  foreign key (organization_id, file_id) references files (organization_id, id) on delete cascade
);

alter table file_parts enable row level security, force row level security;
create policy tenant on file_parts to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on file_parts to plumbline_tenant;

alter table files drop column parts;
