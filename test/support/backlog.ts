import type { TestService } from './service.ts'

/** Deliveries that are due, as many as wanted, of one endpoint. */
export async function fillDeliveries(
  { administrator }: TestService,
  organizationId: string,
  endpointId: string,
  count: number,
  epoch = 1,
): Promise<void> {
  await administrator.query(
    `with made as (insert into deliveries (organization_id, id, endpoint_id, type, purpose, body, epoch, due_at, created_at)
     select $1, 'dlv_' || md5($2 || n::text || clock_timestamp()::text), $2, 'risk.created', 'signal', '{"id":"sig_1"}', $4::int,
            clock_now(), clock_now()
       from generate_series(1, $3::int) n
     returning *)
     insert into delivery_queue (organization_id, endpoint_id, epoch, due_at, delivery_id, created_at)
     select organization_id, endpoint_id, epoch, due_at, id, created_at from made`,
    [organizationId, endpointId, count, epoch],
  )
}
