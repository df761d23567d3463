-- As whom it was sent to its reviewer: a user themselves, or one whose program did. Whoever sends it does not find it right.
alter table evidence_revisions add column submitted_by_user text collate "C";
