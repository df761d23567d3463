-- A row for each record of any kind: what it is called, what it is in, and the texts by which it is found. Whatever may
-- point at a record of any kind points here, so that a foreign key holds it within the organization. It is written by
-- the statement that writes the record (server/records/known-records.ts).

-- What a search needs of an index: any three letters, and the organization before them. Both extensions come with
-- PostgreSQL, and whoever owns the database may add them.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- The form in which texts are indexed and compared: of letters that the index knows in each database, whatever its locale
-- is. What is no Latin letter once accents are gone gets one of them, and of all else come the bytes.
create function letters_for_search(normalized text) returns text
  language plpgsql immutable strict parallel safe as $$
begin
  if octet_length(normalized) = char_length(normalized) then
    return normalized;
  end if;
  return replace(encode(convert_to(translate(normalized,
    'абвгґдеєжзиіклмнопрстуфхцчшщъыьэюяαβγδεζηθικλμνξοπρστυφχψω“”„‘’‚«»–—',
    'abvggdeejziiklmnoprstufhcqwwxyxeuaabgdezhqiklmnxoprstufxyw          '), 'UTF8'), 'escape'), '\', '');
end $$;

-- What a text has that has this word: anywhere, or where the word has no three letters in a row, which is what the index
-- knows, at the beginning of one of its own.
create function search_pattern(word text) returns text
  language sql immutable strict parallel safe
  return case when letters_for_search(normalize_for_search(array[word])) ~ '[a-z0-9]{3}' then '%' else '% ' end
    || regexp_replace(letters_for_search(normalize_for_search(array[word])), '([\\%_])', '\\\1', 'g') || '%';

create table known_records (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  kind text not null,
  reference text collate "C",
  called text not null,
  state text,
  level text,
  archived_at timestamptz,
  -- The reference and what a search of its kind looks through, in the form that searches compare; each behind a space.
  texts text collate "C" not null,
  primary key (organization_id, id),
  unique (organization_id, reference)
) with (fillfactor = 90);

-- Of every organization, so the owner looks past the policies for a moment.
do $$
declare
  kept record;
begin
  for kept in select * from (values
    ('risks', 'risk', 'RSK-', 'title', 'status', 'risk_level'),
    ('controls', 'control', 'CTL-', 'title', 'implementation_status', 'risk_level'),
    ('personnel', 'personnel', 'PER-', 'full_name', 'status', 'null')
  ) as kinds (records, kind, prefix, called, state, level) loop
    execute format('alter table %I no force row level security', kept.records);
    execute format(
      'insert into known_records (organization_id, id, kind, reference, called, state, level, archived_at, texts)
       select organization_id, id, %L, %L || reference_number, %I, %I, %s, archived_at,
              letters_for_search('' '' || lower(%L || reference_number)
                || translate(E''\n'' || search_text, E''\n'', '' ''))
         from %I', kept.kind, kept.prefix, kept.called, kept.state, kept.level, kept.prefix, kept.records);
    execute format('alter table %I force row level security', kept.records);
  end loop;
end $$;

-- The names as searches compare them, so that those that begin with what was typed stand together.
create index known_records_called on known_records
  (organization_id, (normalize_for_search(array[called])) collate "C");
-- Writers only note what they add, as long as what is noted stays short: every search reads it through.
create index known_records_texts on known_records using gin (organization_id, texts gin_trgm_ops)
  with (gin_pending_list_limit = 512);

alter table known_records enable row level security, force row level security;
create policy tenant on known_records to plumbline_tenant
  using (organization_id = (select current_organization()));
grant select, insert, update, delete on known_records to plumbline_tenant;

-- Under the policy of the tenant no search could use an index: what compares texts is not leakproof. So it is the gate
-- that searches, by statements which take the organization from the setting (server/records/search.ts).
create policy gate on known_records for select to plumbline_gate using (true);
grant select on known_records to plumbline_gate;
