import { expect, test } from 'vitest'
import { AUDIT_ACTIONS, RECORD_ACTIONS, recordAction } from '../model/audit-actions.ts'
import { dataOf, entryOf } from '../model/describe-kind.ts'
import { describedKind } from '../model/described-kind.ts'
import { everyKind } from '../model/kinds/index.ts'
import { operationsBy } from '../server/operations.ts'
import { CODES } from '../server/refusal.ts'
import { AUDIT_GROUPS } from '../web/client/audit-groups.ts'
import { type AuditEvent, auditSentenceText } from '../web/client/audit-sentence.ts'
import { keepKind } from '../web/client/kinds.ts'
import { REFUSAL_REASONS } from '../web/copy/audit-actions.ts'
import { toldAction } from '../web/pages/record/told-action.ts'

/* Whatever the service can write into the audit log reads as a sentence: the types allow no other actions. */

for (const kind of everyKind) keepKind(describedKind(entryOf(kind), dataOf(kind), kind.rules))

const ada = { type: 'user', id: 'usr_1', displayName: 'Ada' }
const gateway = { type: 'risk', id: 'risk_1', reference: 'RSK-12', title: 'Unpatched gateway' }

const told = (event: Partial<AuditEvent>) =>
  auditSentenceText({
    action: 'risk.update',
    outcome: 'success',
    reason: null,
    actor: ada,
    subject: gateway,
    changes: null,
    ...event,
  })

const CODE = /[a-z]+[._][a-z]+|[a-z][A-Z]|[{}]|undefined|null/

test.each(AUDIT_ACTIONS)('%s reads as a sentence, however it ended', (action) => {
  const subject = { type: action.split('.')[0]!, id: 'id', title: 'Backup' }
  for (const outcome of ['success', 'denied', 'failed'] as const) {
    expect(told({ action, outcome, subject })).not.toMatch(CODE)
    expect(told({ action, outcome, subject: { ...subject, title: undefined } })).not.toMatch(CODE)
    // Some are about a record of a kind, whose own actions have the same verbs.
    expect(told({ action, outcome })).not.toMatch(CODE)
  }
})

test('what is done to a record of any kind does, too', () => {
  for (const kind of everyKind)
    for (const verb of RECORD_ACTIONS) {
      const subject = { ...gateway, type: kind.name }
      const changes = verb.endsWith('link') ? { control: { from: null, to: { ...gateway, id: 'c' } } } : null
      expect(told({ action: recordAction(kind, verb), subject, changes })).not.toMatch(CODE)
      expect(told({ action: recordAction(kind, verb), subject })).not.toMatch(CODE)
    }
})

test('the history of a record says in words whatever was done to it', () => {
  const ofKinds = everyKind.flatMap((kind) => RECORD_ACTIONS.map((verb) => recordAction(kind, verb)))
  for (const action of [...AUDIT_ACTIONS, ...ofKinds, 'risk.of_a_later_version'])
    for (const outcome of ['success', 'denied', 'failed'] as const)
      expect(`Ada ${toldAction(action, outcome)}`).not.toMatch(CODE)
  expect(['risk.unarchive', 'risk.link', 'attestation.end'].map((one) => toldAction(one, 'success'))).toEqual(
    ['unarchived it', 'linked it', 'ended requests to acknowledge it'],
  )
})

test('every action belongs to a group of the filter', () => {
  const wanted = Object.values(AUDIT_GROUPS).flat()
  const ofKinds = everyKind.flatMap((kind) => RECORD_ACTIONS.map((verb) => recordAction(kind, verb)))
  const groupsOf = (action: string) =>
    wanted.filter((one) => (one.endsWith('*') ? action.startsWith(one.slice(0, -1)) : action === one))
  for (const action of [...AUDIT_ACTIONS, ...ofKinds]) expect.soft(groupsOf(action), action).toHaveLength(1)
  for (const actions of Object.values(AUDIT_GROUPS)) expect(actions.length).toBeLessThanOrEqual(50)
})

test('every reason for which a call is refused has words', () => {
  const forbidden = Object.entries(CODES).flatMap(([code, { status }]) => (status === 403 ? [code] : []))
  // Being asked who one is again is no refusal, and is not logged.
  expect(Object.keys(REFUSAL_REASONS).sort()).toEqual(
    forbidden.filter((code) => code !== 'identity_unconfirmed').sort(),
  )
  for (const { name } of operationsBy('credential'))
    for (const reason of Object.keys(REFUSAL_REASONS))
      expect(told({ action: name, outcome: 'denied', reason })).not.toMatch(CODE)
})

test('a sentence says who did what to which', () => {
  const from = null
  expect(told({ changes: { status: { from, to: 'assessed' }, riskLevel: { from, to: 'high' } } })).toBe(
    'Ada changed the status of RSK-12 Unpatched gateway to Assessed',
  )
  expect(told({ changes: { likelihood: { from, to: 'likely' }, status: { from, to: 'assessed' } } })).toBe(
    'Ada changed the status and likelihood of RSK-12 Unpatched gateway',
  )
  expect(told({ changes: { dueDate: { from: '2026-01-01', to: null } } })).toBe(
    'Ada cleared the due date of RSK-12 Unpatched gateway',
  )
  const key = { type: 'api_key', id: 'key_1', displayName: 'Backup' }
  const refused = { action: 'updateRisk', outcome: 'denied', reason: 'insufficient_scope' } as const
  expect(told({ ...refused, actor: key })).toBe(
    'A call of the API key “Backup” was refused: insufficient scope (“Update risk” on RSK-12 Unpatched gateway)',
  )
  expect(told({ ...refused, subject: { type: 'operation', id: 'updateRisk' } })).toBe(
    'A call of Ada was refused: insufficient scope (“Update risk”)',
  )
  expect(told({ actor: key, action: 'risk.create' })).toBe(
    'The API key “Backup” created RSK-12 Unpatched gateway',
  )
  const linked = { control: { from, to: { id: 'ctl_1', reference: 'CTL-3', title: 'Patching', role: null } } }
  expect(told({ action: 'risk.link', changes: linked })).toBe(
    'Ada linked RSK-12 Unpatched gateway with CTL-3 Patching',
  )
  const said = { content: { from: 'Old', to: 'New' } }
  expect(told({ action: 'comment.update', changes: said })).toBe(
    'Ada changed a comment on RSK-12 Unpatched gateway',
  )
  expect(told({ action: 'comment.create' })).toBe('Ada commented on RSK-12 Unpatched gateway')
  expect(told({ action: 'attestation.end', subject: { ...gateway, type: 'policy' } })).toBe(
    'Ada ended requests to acknowledge RSK-12 Unpatched gateway',
  )
  const endpoint = { type: 'webhook_endpoint', id: 'whe_1', title: 'https://a.example/' }
  const off = { enabled: { from: true, to: false }, disabledReason: { from, to: 'failures' } }
  expect(told({ action: 'webhook_endpoint.update', subject: endpoint, changes: off })).toBe(
    'https://a.example/ was turned off: too many attempts in a row failed',
  )
  const member = { type: 'user', id: 'usr_2', title: 'Bo' }
  expect(told({ action: 'user.update', subject: member, changes: { role: { from, to: 'editor' } } })).toBe(
    'Ada changed the role of Bo to Editor',
  )
})
