import { z } from 'zod'
import { ATTESTATION_STATES } from '../../model/attestation.ts'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { statement } from '../database/connect.ts'
import { operation, scope } from '../operation.ts'
import { timestamp } from '../output.ts'
import { mayRead } from '../records/readable.ts'
import { ID } from '../records/schemas.ts'
import { assertThere } from '../records/stored-record.ts'
import { STANDING } from './round.ts'

const personnel = kinds.personnel as unknown as Kind
const policy = kinds.policy as unknown as Kind

const asked = z.object({
  id: z.string(),
  policyId: z.string(),
  title: z.string().nullable().describe('What the policy is called; takes the right to read policies'),
  version: z.string(),
  status: z.enum(ATTESTATION_STATES),
  dueDate: z.string(),
  isOverdue: z.boolean(),
  acknowledgedAt: timestamp.nullable(),
  exemptReason: z.string().nullable(),
})

/** Those of the fields of a person that count these say how many alone. */
export const listAttestationsOfPerson = operation({
  name: 'listAttestationsOfPerson',
  method: 'GET',
  path: '/v1/personnel/{id}/attestations',
  needs: scope('read:personnel'),
  writes: false,
  isAside: true,
  title: 'List the policies that a person was asked to acknowledge',
  description:
    'What is open, the one that is due first before the others, then what they acknowledged or need not, the latest first; up to 200.',
  input: z.strictObject({ id: ID.meta({ refersTo: 'per' }) }),
  output: z.object({ data: z.array(asked) }).meta({ id: 'AttestationsOfPerson' }),
  run: async (context, { id }) => {
    const { tx, caller } = context
    await assertThere(context, personnel, id)
    const rows = await tx.read<z.output<typeof asked>>(list(tx.organizationId, id))
    return { data: mayRead(caller, policy) ? rows : rows.map(withoutPolicy) }
  },
})

/** Whoever may not read policies learns how many there are, and when. */
const withoutPolicy = <One extends object>(one: One): One => ({ ...one, title: null, exemptReason: null })

const AT_MOST = 200

const list = statement(`
  select a.id, a.policy_id as "policyId", v.title, v.label as version, a.status, a.due_date::text as "dueDate",
         a.status in ('requested', 'viewed')
           and a.due_date < (clock_now() at time zone deadline_zone($1))::date as "isOverdue",
         a.acknowledged_at as "acknowledgedAt", a.exempt_reason as "exemptReason"
    from attestations a
    join personnel d on d.organization_id = a.organization_id and d.id = a.personnel_id
    join policy_versions v on v.organization_id = a.organization_id and v.id = a.version_id
    join policies p on p.organization_id = a.organization_id and p.id = a.policy_id
   where a.organization_id = $1 and a.personnel_id = $2 and ${STANDING} <> 'cancelled'
   order by a.status not in ('requested', 'viewed'),
            case when a.status in ('requested', 'viewed') then a.due_date end,
            coalesce(a.acknowledged_at, a.updated_at) desc, a.id
   limit ${AT_MOST}`)
