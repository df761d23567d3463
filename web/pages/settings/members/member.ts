import type { Output } from '../../../client/calls.ts'

export type Member = Output<'listUsers'>['data'][number]
export type Role = Member['role']

/** What somebody may do, as one choice: a role, or a viewer's limited view. */
export const STANDINGS = ['admin', 'editor', 'viewer', 'auditor', 'self_service'] as const

export type Standing = (typeof STANDINGS)[number]

export const standingOf = ({ role, isAuditor, selfServiceOnly }: Member): Standing =>
  isAuditor ? 'auditor' : selfServiceOnly ? 'self_service' : role

/** The same as the service takes it. */
export const asTaken = (standing: Standing) => ({
  role: (standing === 'auditor' || standing === 'self_service' ? 'viewer' : standing) as Role,
  isAuditor: standing === 'auditor',
  selfServiceOnly: standing === 'self_service',
})
