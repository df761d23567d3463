-- Acceptances of risks were called by their whole justification. They have a short title now: by default the risk that is
-- accepted.
alter table risk_acceptances no force row level security;
alter table risks no force row level security;
alter table known_records no force row level security;

alter table risk_acceptances drop column search_text, add column title text;

update risk_acceptances a set title = 'Acceptance of RSK-' || p.reference_number
  from risks p where p.organization_id = a.organization_id and p.id = a.risk_id;

alter table risk_acceptances add column search_text text collate "C" not null
  generated always as (normalize_for_search(array[title, justification, external_id] || labels)) stored;

update known_records k
   set called = a.title,
       texts = letters_for_search(' ' || lower(k.reference) || translate(E'\n' || a.search_text, E'\n', ' '))
  from risk_acceptances a
 where k.organization_id = a.organization_id and k.id = a.id and k.kind = 'risk_acceptance';

alter table known_records force row level security;
alter table risks force row level security;
alter table risk_acceptances force row level security;
