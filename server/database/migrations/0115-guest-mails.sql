-- What was mailed to guests, and what came of it. What a mail says, its link and its code, stands nowhere here.
create table guest_mails (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  pass_id text collate "C" not null,
  about text not null check (about in ('guest_link', 'guest_code')),
  address text not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'refused', 'given_up')),
  -- Why it did not leave, in words of ours with the code of the mail server.
  failure text,
  attempts integer not null default 1,
  -- When it is tried again, or taken to be lost; null once it is over.
  due_at timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, pass_id) references guest_passes (organization_id, id) on delete cascade
);
-- A reminder that could not leave is tried again as the same mail.
create unique index guest_mails_waiting on guest_mails (organization_id, pass_id)
  where state = 'waiting' and about = 'guest_link';
create index guest_mails_of_pass on guest_mails (organization_id, pass_id);
create index guest_mails_listed on guest_mails (organization_id, created_at desc, id desc);
create index guest_mails_due on guest_mails (due_at) where due_at is not null;
create index guest_mails_ended on guest_mails (ended_at) where ended_at is not null;
alter table guest_mails enable row level security, force row level security;
create policy tenant on guest_mails to plumbline_tenant
  using (organization_id = (select current_organization()));
create policy gate on guest_mails to plumbline_gate using (true);
grant select, insert, update on guest_mails to plumbline_tenant;
grant select, update (state, failure, due_at, ended_at), delete on guest_mails to plumbline_gate;

-- The last mail to a guest that came back, and from which address; nulls once one is taken there.
alter table guest_passes
  add column mail_failure text,
  add column mail_failed_to text,
  add column mail_failed_at timestamptz;
