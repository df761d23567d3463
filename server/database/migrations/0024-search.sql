-- What a search looks through, kept with each record in the form that searches compare: letters without case and
-- accents, so that "uber" finds "Über". To make that form anew for each row of a search would take seconds.

-- PostgreSQL's own unaccent is an extension, which not every installation may add, and no function of a generated
-- column. This one depends on nothing but its texts, as those must. It is part of every write, and most texts are
-- plain letters.
create function normalize_for_search(texts text[]) returns text
  language plpgsql immutable strict parallel safe as $$
declare
  joined text := array_to_string(texts, E'\n');
begin
  if octet_length(joined) = char_length(joined) then
    return lower(joined collate "C");
  end if;
  return translate(
    replace(replace(replace(replace(
      regexp_replace(lower(normalize(joined, NFKD)), '[\u0300-\u036f]', '', 'g'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    'øłđðħıŧς', 'olddhitσ');
end $$;

alter table risks add column search_text text collate "C" not null
  generated always as (normalize_for_search(array[title, description, external_id] || labels)) stored;
alter table controls add column search_text text collate "C" not null
  generated always as (normalize_for_search(array[code, title, description, external_id] || labels)) stored;
alter table personnel add column search_text text collate "C" not null
  generated always as (
    normalize_for_search(array[full_name, work_email, job_title, department, external_id] || labels)) stored;
