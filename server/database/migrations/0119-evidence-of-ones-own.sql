-- Whose own it was when it was sent: the users who wrote what it said, owned it or were asked for it. The same content is
-- not theirs to find right when somebody else sends it later.
alter table evidence_revisions add column own_to_users text[] collate "C";
