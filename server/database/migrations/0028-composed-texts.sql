-- Labels and external ids are compared letter by letter, in the composed form (NFC), to which whatever comes in is
-- brought. What was kept before that is brought to it here, or no filter finds it.

create function pg_temp.composed(labels text[]) returns text[] language sql as $$
  select array_agg(label order by place)
    from (select normalize(label) as label, min(place) as place
            from unnest(labels) with ordinality as given (label, place) group by 1) each
$$;

do $$
declare
  records text;
begin
  foreach records in array array['risks', 'controls', 'personnel'] loop
    -- Of every organization, so the owner looks past the policies for a moment.
    execute format('alter table %I no force row level security', records);
    execute format('update %I set labels = pg_temp.composed(labels)
                     where exists (select from unnest(labels) label where label is not nfc normalized)', records);
    -- An id stands once: of several that become one the oldest gets it, and where a record has it already, none.
    execute format('update %1$I r set external_id = c.composed
                      from (select distinct on (organization_id, normalize(external_id))
                                   organization_id, id, normalize(external_id) as composed
                              from %1$I where external_id is not nfc normalized
                             order by organization_id, normalize(external_id), created_at, id) c
                     where r.organization_id = c.organization_id and r.id = c.id
                       and not exists (select from %1$I o
                                        where o.organization_id = c.organization_id and o.external_id = c.composed)',
                   records);
    execute format('alter table %I force row level security', records);
  end loop;
end $$;
