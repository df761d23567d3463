-- A process of an older version that still runs would take deliveries and finish them without their queue and leases,
-- and what it failed to send would never be due again. Each of its statements names this column, so all of them fail
-- now: what it had under way is sent again when its leases end.
alter table deliveries rename column claims to claim_count;
