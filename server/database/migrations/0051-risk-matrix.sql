-- The risk matrix of an organization, a row for each version after the first, which is that of every organization and
-- stands in the code. The one with the highest number holds.
create table risk_matrices (
  organization_id text collate "C" not null references organizations (id),
  version integer not null check (version > 1),
  cells jsonb not null,
  appetite jsonb not null,
  -- Labels, descriptions and colours, of the steps of both sides and of the levels.
  likelihoods jsonb not null,
  impacts jsonb not null,
  levels jsonb not null,
  reason text,
  created_at timestamptz not null,
  created_by jsonb not null,
  primary key (organization_id, version)
);

alter table risk_matrices enable row level security, force row level security;
create policy tenant on risk_matrices to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert on risk_matrices to plumbline_tenant;

-- Who writes what follows from the matrix holds it as it is until the end of their transaction; who changes it waits for
-- these, and holds the next ones up for the moment of its own. So nothing that follows from an earlier version is
-- written after a later one is there, and what recomputes the rest finds all of it.
create function hold_risk_matrix(organization text) returns void
  language sql volatile
  return pg_advisory_xact_lock(hashtextextended('risk matrix of ' || organization, 0));

-- A function of its own, in which the second statement sees what was committed while the first waited.
create function risk_matrix_for_write(organization text)
  returns table (version integer, cells jsonb, appetite jsonb)
  language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('risk matrix of ' || organization, 0));
  return query
    select m.version, m.cells, m.appetite from risk_matrices m
     where m.organization_id = organization order by m.version desc limit 1;
end $$;

-- Whether a risk is above the appetite for its category.
alter table risks add column above_appetite boolean;
