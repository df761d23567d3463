-- Room for as much as PostgreSQL allows by itself: with less, writers put what they noted into the index so often that
-- it cost each of them more than twice as much.
alter index known_records_texts reset (gin_pending_list_limit);
