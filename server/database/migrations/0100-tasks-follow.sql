-- Which task one comes after, where it comes again: from that the way leads to the next.
alter table tasks add column follows_id text;
alter table tasks add foreign key (organization_id, follows_id) references tasks (organization_id, id)
  on delete set null (follows_id);
create index tasks_follows on tasks (organization_id, follows_id);
