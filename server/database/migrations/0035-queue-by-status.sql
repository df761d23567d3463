-- What waits in the queue is found by where it stands: of an endpoint with a million deliveries that wait in vain, or
-- for a retry, a page of those that are pending would else read them all. The queue is short when nothing is wrong.
alter table delivery_queue add column is_retry boolean not null default false;

-- Of every organization, so the owner looks past the policies for a moment.
alter table deliveries no force row level security;
alter table delivery_queue no force row level security;
update delivery_queue q set is_retry = true from deliveries d
 where d.id = q.delivery_id and d.organization_id = q.organization_id and d.created_at = q.created_at
   and d.status = 'waiting_for_retry';
alter table deliveries force row level security;
alter table delivery_queue force row level security;

alter table delivery_queue drop constraint delivery_queue_pkey;
alter table delivery_queue add primary key (organization_id, endpoint_id, epoch, is_retry, created_at, delivery_id);
