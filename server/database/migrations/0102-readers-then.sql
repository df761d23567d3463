-- Who somebody was when they acknowledged a text, as whom they acted, and the hash of all that was said then: what is
-- proved does not change with a name.
alter table attestations
  add column reader_name text,
  add column reader_email text,
  add column acknowledged_by jsonb,
  add column sha256 text;
update attestations a set reader_name = d.full_name, reader_email = d.work_email
  from personnel d
 where d.organization_id = a.organization_id and d.id = a.personnel_id and a.status = 'acknowledged';
