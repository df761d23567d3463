import { isForPersons, isThere, type Needs, reaches, scopesInWords } from '../../model/needs.ts'
import { ROLE_SCOPES } from '../../model/scopes.ts'
import { notFound, Refusal } from '../refusal.ts'
import { type Caller, holds, isCapable, isPerson } from './caller.ts'
import { identityRefusal } from './identity-requirements.ts'
import { isOpenToAuditor, limitedRefusal } from './limited-view.ts'

/**
 * Whether a caller may do what an operation needs. The only place where rights are judged; call() asks it
 * for every call, and the doors ask it to show only what can be called.
 *
 * @returns null, or the refusal: `session_required` for a program where a person is asked, `file_upload_not_allowed`
 *   where it would send a file,
 *   `insufficient_scope` (with `required`, and as `offer` the first that the role permits) where another scope
 *   would help, `capability_required` where the role of the person is what is missing, `feature_disabled` where the
 *   organization has no such thing, `not_found` to a guest for all that their pass is not for, and to everybody else
 *   for what guests do
 */
export function rightsRefusal(needs: Needs, caller: Caller): Refusal | null {
  const { feature, role } = needs
  const { credential } = caller
  if (needs.guest || credential.type === 'guest') {
    const isTheirs =
      credential.type === 'guest' && (needs.guest === 'any' || needs.guest === credential.purpose)
    return isTheirs ? null : notFound()
  }
  const limited = limitedRefusal(needs, caller)
  if (limited) return limited
  if (!isThere(needs, caller.features))
    return new Refusal(
      'feature_disabled',
      'The organization does not have this feature: an admin can switch it on in its settings.',
      { feature },
    )
  if (needs.sendsFile && !isPerson(caller))
    return new Refusal(
      'file_upload_not_allowed',
      'No key or token sends files: a person does it in the web app. Give a url or a text instead.',
    )
  if (isForPersons(needs) && !isPerson(caller))
    return new Refusal(
      'session_required',
      'No key or token may do this: a person does it in the web app or on the command line.',
    )
  if (isOpenToAuditor(needs, caller)) return null
  if (needs.capability && !isCapable(caller, needs.capability))
    return new Refusal(
      'capability_required',
      `This needs the capability ${needs.capability}, which only admins have: ask an admin.`,
    )
  if (role !== undefined && !reaches(caller.role, role))
    return new Refusal(
      'capability_required',
      `Your role is now ${standingOf(caller)}, and this takes the role ${role} or a higher one: an admin can change the role.`,
      { role: caller.role },
    )
  if (needs.anyOf.length === 0 || needs.anyOf.some((scope) => holds(caller, scope))) return null
  const required = needs.anyOf
  const capped = required.filter((scope) => caller.granted.has(scope))
  if (capped.length > 0 || !required.some((scope) => ROLE_SCOPES[caller.role].has(scope)))
    return new Refusal('capability_required', cappedDetail(caller, needs), { required, role: caller.role })
  return new Refusal(
    'insufficient_scope',
    `This needs ${scopesInWords(needs)}: use a credential that carries it.`,
    { required, offer: required.find((scope) => ROLE_SCOPES[caller.role].has(scope)) },
  )
}

/** Whether a caller has what is needed. */
export const may = (caller: Caller, needs: Needs): boolean => rightsRefusal(needs, caller) === null

/**
 * @param raw the input as it came
 * @throws {Refusal} that of the rights, or of who the person is (identity.ts)
 */
export function refuseUnlessAllowed(needs: Needs, caller: Caller, raw: unknown): void {
  const refusal = rightsRefusal(needs, caller) ?? identityRefusal(needs, caller, raw)
  if (refusal) throw refusal
}

/** What people call it: an auditor was never told that they are a viewer. */
const standingOf = ({ limitedView, role }: Caller): string => (limitedView ?? role).replaceAll('_', '-')

function cappedDetail(caller: Caller, needs: Needs): string {
  const whose = isPerson(caller) ? 'Your role' : 'The role of the person this credential acts as'
  return `${whose} is now ${standingOf(caller)}, which does not allow ${scopesInWords(needs)}: an admin can change the role.`
}
