-- The first end of a phase that nobody has said to be done acts as a deadline of its plan.
alter table compliance_plans add column next_phase_end date;

-- Of what is there already, of every organization: the owner looks past the policies for a moment.
alter table compliance_plans no force row level security;
alter table organizations no force row level security;
update compliance_plans p set next_phase_end = ends.first
  from (select organization_id, id, min((phase ->> 'endDate')::date) as first
          from compliance_plans, jsonb_array_elements(phases) phase
         where jsonb_typeof(phases) = 'array' and phase ->> 'status' is distinct from 'done'
         group by organization_id, id) ends
 where ends.organization_id = p.organization_id and ends.id = p.id and ends.first is not null;
insert into deadlines (organization_id, record_id, name, kind, day, ends_at, owner_id, due_at)
select organization_id, id, 'phase', 'compliance_plan', day, (day + 1)::timestamp at time zone zone, owner_id,
       greatest(deadline_moment(day, null, 30, zone), clock_now())
  from (select p.organization_id, p.id, p.next_phase_end as day, coalesce(z.name, 'UTC') as zone,
               coalesce(p.owner_user_id, p.owner_personnel_id) as owner_id
          from compliance_plans p
          join organizations o on o.id = p.organization_id
          left join pg_timezone_names z on z.name = o.timezone
         where p.archived_at is null and p.status = 'active' and p.next_phase_end is not null) dated;
alter table compliance_plans force row level security;
alter table organizations force row level security;
