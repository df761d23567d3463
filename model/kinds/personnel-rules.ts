import type { Complaint, Values } from '../complaint.ts'
import type { KindRules } from '../kind-rules.ts'

/**
 * What the fact `login` tells: the address of the user whom the person is to sign in as, whether an admin says so,
 * whether one does or a program of theirs, and whether the person was added with another address than they have.
 */
interface Login {
  readonly email: string | null
  readonly byAdmin: boolean
  readonly forAdmin: boolean
  readonly wasRetyped: boolean
}

export const rules: Partial<KindRules> = {
  derive: (_values, facts, write) =>
    write && facts ? { policiesAcknowledged: facts.counted.policiesAcknowledged } : {},
  refuse: (before, after, _given, _decided, facts) => {
    const login = facts?.login as Login | undefined
    return refuseOtherLogin(before, after, login) ?? refuseOtherAddress(before, after, login)
  },
  refuseDeletion: (_, facts) =>
    facts.counted?.hasAcknowledged
      ? { conflict: 'The texts that they acknowledged are kept as proof: set the status to former instead.' }
      : null,
}

/**
 * Whoever signs in as a person of the directory speaks for them: they acknowledge what the person is asked to. So where
 * the login has another address than the person, it is for an admin to say that they are the same; and so it is where the
 * person was added with another address, since whoever may edit them could have given them their own. Nor does anybody
 * cease to be who they are: what is their own they could decide then.
 */
function refuseOtherLogin(before: Values | null, after: Values, login?: Login): Complaint | null {
  if (!login || login.byAdmin || (after.userId ?? null) === (before?.userId ?? null)) return null
  if (before?.userId)
    return {
      path: 'userId',
      message: 'says whose duties these are, and so what they may not decide: let an admin change it',
    }
  const [was, is] = [addressOf(before ?? after), addressOf(after)]
  if (login.email !== is)
    return {
      path: 'userId',
      message:
        'signs in by another address than the work e-mail: let an admin link them, who can say that they are the same person',
    }
  return login.wasRetyped || was !== is
    ? {
        path: 'userId',
        message:
          'is for an admin to set here, since the work e-mail was changed after the person was added: let an admin link them',
      }
    : null
}

/**
 * Who does not sign in is asked by their work e-mail, and what comes from that mailbox they said. So whoever could give
 * somebody who stands in the directory another address could say it in their name, and put the old one back. A system of
 * human resources keeps addresses by a key that an admin made.
 */
function refuseOtherAddress(before: Values | null, after: Values, login?: Login): Complaint | null {
  if (!before || !login || login.forAdmin || addressOf(before) === addressOf(after)) return null
  return {
    path: 'workEmail',
    message: 'is where they are asked what they alone can say: let an admin change it, or a key of theirs',
  }
}

const addressOf = ({ workEmail }: Values): string => String(workEmail).toLowerCase()
