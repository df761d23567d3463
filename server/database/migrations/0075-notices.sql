-- What people are told of: each row for one of them, and with the change that it tells of.
create table notices (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  -- Who is told.
  user_id text collate "C" not null,
  -- Which words it has (model/notice-kinds.ts).
  kind text collate "C" not null,
  -- What it is about: one record, or as many of a kind as it counts. It goes with the record.
  record_kind text collate "C",
  record_id text collate "C",
  -- What else the words say: who did it, and nothing that stands in a record.
  facts jsonb not null,
  count integer not null,
  -- What one call raises alike counts together.
  gathered_by text collate "C" not null,
  created_at timestamptz not null,
  read_at timestamptz,
  archived_at timestamptz,
  -- Not shown until then.
  snoozed_until timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references members (organization_id, user_id),
  foreign key (organization_id, record_id) references known_records (organization_id, id) on delete cascade
);
create unique index notices_gathered on notices (organization_id, user_id, gathered_by);
create index notices_listed on notices (organization_id, user_id, created_at desc, id desc);
create index notices_unread on notices (organization_id, user_id) where read_at is null and archived_at is null;
create index notices_of_record on notices (organization_id, record_id) where record_id is not null;
create index notices_old on notices (created_at);

alter table notices enable row level security, force row level security;
create policy tenant on notices to plumbline_tenant using (organization_id = (select current_organization()));
create policy engine on notices to plumbline_engine using (true);
grant select, insert, update, delete on notices to plumbline_tenant;
grant select, delete on notices to plumbline_engine;
