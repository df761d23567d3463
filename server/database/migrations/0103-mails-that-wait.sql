-- How often a mail about it was put off by its mailbox.
alter table attestations add column faults integer not null default 0;
