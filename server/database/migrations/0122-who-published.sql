-- Who published a version of a policy: its log alone said it.

alter table policy_versions add column published_by jsonb;

-- Of every organization, so the owner looks past the policies for a moment.
alter table policy_versions no force row level security;
alter table audit_entries no force row level security;

update policy_versions v
   set published_by = (
     select a.actor::jsonb from audit_entries a
      where a.organization_id = v.organization_id and a.subject_id = v.id and a.outcome = 'success'
        and a.changes -> 'status' ->> 'to' = 'published'
      order by a.time desc limit 1)
 where v.published_at is not null;

alter table policy_versions force row level security;
alter table audit_entries force row level security;
