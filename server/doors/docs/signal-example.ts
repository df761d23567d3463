import type { Kind, SignalEvent, Values } from '../../../kinds/kind.ts'
import { recordSchema } from '../../records/schemas.ts'

/** What the service sets, as it could be. */
const SET = {
  organizationId: 'org_01k9f8q0pwe7xaj4y2m6z8s1vb',
  source: 'person',
  createdAt: '2026-05-17T10:00:00.000Z',
  createdBy: { type: 'user', id: 'usr_01k9f8q1m3e8tbr5x0n7c2d4wf', displayName: 'Ada Berg' },
  updatedBy: { type: 'user', id: 'usr_01k9f8q1m3e8tbr5x0n7c2d4wf', displayName: 'Ada Berg' },
}
const CHANGED_AT = '2026-05-18T08:30:00.000Z'

/** The body of a signal of a kind: about the record that the kind gives as its example, and its first step. */
export function signalExample(kind: Kind, event: SignalEvent): Values {
  const isFirst = event === 'created'
  const time = isFirst ? SET.createdAt : CHANGED_AT
  const id = `${kind.idPrefix}_01k9f8qxk2e9mbz6w0h5t4v3ra`
  const state = kind.states!.field
  const from = String(kind.defaults[state])
  const to = kind.states!.next[from]![0]!
  const given: Values = { ...kind.defaults, ...kind.example, [state]: isFirst ? from : to }
  const owner = given.owner as { refId: string } | undefined
  const values: Values = {
    ...given,
    ...kind.derive(given),
    ...SET,
    ...(owner && { owner: { ...owner, displayName: 'Bo Lind', active: true }, ownerId: owner.refId }),
    id,
    reference: `${kind.referencePrefix}-12`,
    version: isFirst ? 1 : 2,
    updatedAt: time,
  }
  const fields = Object.keys(recordSchema(kind).shape)
  const record = Object.fromEntries(fields.map((field) => [field, values[field] ?? null]))
  return {
    id: 'sig_01k9f8qxk1fy0rj3v6c8n2d5ta',
    type: `${kind.name}.${event}`,
    time,
    organizationId: SET.organizationId,
    subject: { type: kind.name, id },
    data: { record, ...(event === 'updated' && { changes: { [state]: { from, to } } }) },
  }
}
