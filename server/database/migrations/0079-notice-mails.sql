-- When a notice is to be mailed, whether it waits for the hour of the daily mail, and which mail took it.
alter table notices
  add column mail_at timestamptz,
  add column is_daily boolean not null default false,
  add column mail_id text collate "C";
create index notices_to_mail on notices (mail_at) where mail_at is not null;
create index notices_mailed on notices (organization_id, mail_id) where mail_id is not null;
grant insert, update on notices to plumbline_engine;

-- What somebody has chosen of how they are told; where there is nothing, what holds for everybody.
create table notice_settings (
  organization_id text collate "C" not null,
  user_id text collate "C" not null,
  -- By kind of notice: at_once, daily, never.
  mails jsonb not null default '{}',
  daily_hour integer not null default 8 check (daily_hour between 0 and 23),
  -- Null for that of the organization.
  timezone text,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references members (organization_id, user_id)
);
alter table notice_settings enable row level security, force row level security;
create policy tenant on notice_settings to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update on notice_settings to plumbline_tenant;

-- Mails about notices: what is to be sent, and the log of it. What a mail says is made when it is sent, and not kept.
create table notice_mails (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  user_id text collate "C" not null,
  -- Where it was last sent to; null where it never was.
  address text,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'refused', 'given_up', 'dropped')),
  -- Why it did not leave, in words of ours with the code of the mail server.
  failure text,
  notice_count integer not null default 0,
  attempts integer not null default 0,
  -- When it is tried, or when whoever tries it is given up; null once it is over.
  due_at timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references members (organization_id, user_id)
);
-- One waits for a person at most: what comes meanwhile goes with it.
create unique index notice_mails_waiting on notice_mails (organization_id, user_id) where state = 'waiting';
create index notice_mails_due on notice_mails (due_at) where due_at is not null;
create index notice_mails_listed on notice_mails (organization_id, created_at desc, id desc);
create index notice_mails_ended on notice_mails (ended_at) where ended_at is not null;
alter table notice_mails enable row level security, force row level security;
create policy tenant on notice_mails to plumbline_tenant
  using (organization_id = (select current_organization()));
create policy engine on notice_mails to plumbline_engine using (true);
grant select, insert, update on notice_mails to plumbline_tenant;
grant select, delete on notice_mails to plumbline_engine;

-- Addresses that the mail server takes no mail for.
create table mail_bounces (
  organization_id text collate "C" not null,
  user_id text collate "C" not null,
  address text not null,
  failure text not null,
  bounced_at timestamptz not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references members (organization_id, user_id)
);
alter table mail_bounces enable row level security, force row level security;
create policy tenant on mail_bounces to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on mail_bounces to plumbline_tenant;
