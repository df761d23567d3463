import { LIMITED_VIEWS, type LimitedView } from './limited-view.ts'
import type { Role } from './scopes.ts'

/* What somebody may do, as people choose it: a role, or the limited view of a viewer. */

export const STANDINGS = ['admin', 'editor', 'viewer', ...LIMITED_VIEWS] as const

export type Standing = (typeof STANDINGS)[number]

interface Member {
  readonly role: Role
  readonly isAuditor: boolean
  readonly selfServiceOnly: boolean
}

export const standingOf = ({ role, isAuditor, selfServiceOnly }: Member): Standing =>
  isAuditor ? 'auditor' : selfServiceOnly ? 'self_service' : role

/** The same as the service takes it. */
export const asTaken = (standing: Standing): Member => ({
  role: isLimited(standing) ? 'viewer' : standing,
  isAuditor: standing === 'auditor',
  selfServiceOnly: standing === 'self_service',
})

const isLimited = (standing: Standing): standing is LimitedView =>
  (LIMITED_VIEWS as readonly string[]).includes(standing)
