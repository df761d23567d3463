-- Another has taken its place: it is not gone on with.
alter table jobs add column superseded_at timestamptz;
