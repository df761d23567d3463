-- Which signals left for a record, newest first: its page shows them. Their deliveries are found by endpoint
-- and time, so deliveries need no index for it.
create index signals_subject on signals (organization_id, subject_id, time desc, id desc);
