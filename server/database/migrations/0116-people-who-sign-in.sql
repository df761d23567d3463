-- In which organizations a member signs in by the work e-mail of an entry that nobody signs in as.
grant select (work_email, user_id, archived_at) on personnel to plumbline_gate;
