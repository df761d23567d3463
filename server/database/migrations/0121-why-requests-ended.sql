-- Why nothing is asked any more of somebody who had not acknowledged a text: a certificate says it. Of requests that ended
-- before, nobody knows.
alter table attestations add column ended_because text check (ended_because in
  ('left', 'not_in_audience', 'replaced', 'not_asked', 'policy_retired'));
