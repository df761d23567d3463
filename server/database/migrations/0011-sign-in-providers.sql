-- Sign-in through an organization's own OpenID Connect provider.

create table sign_in_providers (
  organization_id text collate "C" not null references organizations (id),
  id text collate "C" not null unique,
  name text not null,
  -- As the provider itself writes it: what tokens say is compared with it byte by byte. It never changes,
  -- because what an issuer calls a person means nothing at another one.
  issuer text not null,
  client_id text not null,
  client_secret_cipher bytea not null,
  enabled boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);

-- A domain whose people a provider vouches for. Until it is verified it is a wish.
create table sign_in_domains (
  organization_id text collate "C" not null,
  provider_id text collate "C" not null,
  domain text collate "C" not null,
  -- What the organization puts into the DNS; no secret.
  token text not null,
  verified_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, provider_id, domain),
  foreign key (organization_id, provider_id) references sign_in_providers (organization_id, id) on delete cascade
);
create unique index sign_in_domains_verified on sign_in_domains (domain) where verified_at is not null;

-- Whom a provider means by its `sub`: one person of the organization, and of that person one account.
create table sign_in_identities (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  provider_id text collate "C" not null,
  subject text collate "C" not null,
  user_id text collate "C" not null,
  email text,
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, provider_id, subject),
  unique (organization_id, provider_id, user_id),
  foreign key (organization_id, provider_id) references sign_in_providers (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references members (organization_id, user_id)
);
create index sign_in_identities_user on sign_in_identities (organization_id, user_id);

-- Sign-ins that were begun and may still come back, once and to the browser that began them.
create table sign_ins_begun (
  state_hash bytea primary key,
  browser_hash bytea not null,
  organization_id text collate "C" not null,
  provider_id text collate "C" not null,
  -- Set where somebody who is signed in links an identity; null where somebody signs in.
  session_id text collate "C",
  return_to text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  foreign key (organization_id, provider_id) references sign_in_providers (organization_id, id) on delete cascade
);
create index sign_ins_begun_expiry on sign_ins_begun (expires_at);
create index sign_ins_begun_provider on sign_ins_begun (organization_id, provider_id);

-- What a provider vouched for ends with it.
alter table sessions
  add foreign key (organization_id, provider_id) references sign_in_providers (organization_id, id) on delete cascade;
create index sessions_provider on sessions (organization_id, provider_id) where provider_id is not null;

alter table sign_in_providers enable row level security, force row level security;
alter table sign_in_domains enable row level security, force row level security;
alter table sign_in_identities enable row level security, force row level security;
alter table sign_ins_begun enable row level security, force row level security;

create policy tenant on sign_in_providers to plumbline_tenant
  using (organization_id = (select current_organization()));
create policy tenant on sign_in_domains to plumbline_tenant
  using (organization_id = (select current_organization()));
create policy tenant on sign_in_identities to plumbline_tenant
  using (organization_id = (select current_organization()));
create policy gate on sign_in_providers to plumbline_gate using (true);
create policy gate on sign_in_domains to plumbline_gate using (true);
create policy gate on sign_ins_begun to plumbline_gate using (true);

grant select, insert, update, delete on sign_in_providers, sign_in_domains, sign_in_identities to plumbline_tenant;
grant select on sign_in_providers to plumbline_gate;
-- Whoever proves a domain ends the proof of one who cannot any more, whichever organization that is.
grant select, update on sign_in_domains to plumbline_gate;
grant select, insert, delete on sign_ins_begun to plumbline_gate;
