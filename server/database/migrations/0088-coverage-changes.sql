-- What may have moved the results of requirements, until they are brought up to it (server/frameworks/settle-results.ts).
-- Controls, evidence, links and mappings are written by many statements of many rooms, and rows go by cascades as well:
-- a trigger sees them all, and appends, so that writers never wait for each other.

create table coverage_changes (
  id bigint generated always as identity,
  organization_id text collate "C" not null,
  -- Of what: a requirement, or what several follow from.
  kind text collate "C" not null check (kind in ('requirement', 'control', 'evidence', 'framework')),
  record_id text collate "C" not null,
  primary key (organization_id, id)
);
alter table coverage_changes enable row level security, force row level security;
create policy tenant on coverage_changes to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, delete on coverage_changes to plumbline_tenant;
-- Rows that go by a cascade go as the owner, in the organization whose call it is.
create policy cascade on coverage_changes for insert with check (organization_id = (select current_organization()));
create policy engine on coverage_changes for select to plumbline_engine using (true);
grant select on coverage_changes to plumbline_engine;

-- Appends the record of a kind that a column of the row names: note_coverage_change('control', 'control_id').
create function note_coverage_change() returns trigger
  language plpgsql as $$
declare
  changed jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
begin
  insert into coverage_changes (organization_id, kind, record_id)
  values (changed ->> 'organization_id', tg_argv[0], changed ->> tg_argv[1]);
  return null;
end $$;

create trigger coverage after update on controls for each row
  when (old.implementation_status is distinct from new.implementation_status
    or old.archived_at is distinct from new.archived_at)
  execute function note_coverage_change('control', 'id');

create trigger coverage after update on evidence for each row
  when (old.status is distinct from new.status or old.expiry_date is distinct from new.expiry_date
    or old.archived_at is distinct from new.archived_at)
  execute function note_coverage_change('evidence', 'id');

create trigger coverage after insert or update or delete on evidence_controls for each row
  execute function note_coverage_change('control', 'control_id');

create trigger coverage after insert or delete on control_requirements for each row
  execute function note_coverage_change('requirement', 'requirement_id');

create trigger coverage_of_source after insert or update or delete on requirement_mappings for each row
  execute function note_coverage_change('requirement', 'mapping_source_id');
create trigger coverage_of_target after insert or update or delete on requirement_mappings for each row
  execute function note_coverage_change('requirement', 'mapping_target_id');

create trigger coverage after update on requirements for each row
  when (old.result_pinned is distinct from new.result_pinned or old.applicability is distinct from new.applicability
    or old.archived_at is distinct from new.archived_at
    or (new.result_pinned and old.result is distinct from new.result))
  execute function note_coverage_change('requirement', 'id');

create trigger coverage after update on frameworks for each row
  when (old.status is distinct from new.status or old.archived_at is distinct from new.archived_at)
  execute function note_coverage_change('framework', 'id');
