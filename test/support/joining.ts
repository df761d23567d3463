import { createOrganization } from '../../server/organization/organizations.ts'
import type { Door } from './door.ts'
import { PASSWORD } from './factors.ts'
import { openWeb, type Web } from './web.ts'

/** An organization with an admin who has signed in with a password of their own. */
export interface Place {
  readonly id: string
  readonly adminId: string
  web: Web
  /** Adds somebody without a password; the answer's body. */
  invite(email: string, given?: object): Promise<Invited>
}

export interface Invited {
  readonly id: string
  readonly status: string
  readonly invitation: {
    readonly sentTo: string | null
    readonly link: string | null
    readonly problem: string | null
    readonly expiresAt: string
  }
}

export { PASSWORD }

export async function openPlace(door: Door, name: string): Promise<Place> {
  const adminEmail = `admin@${name.toLowerCase()}.example`
  const given = { name, adminEmail, adminName: `Admin of ${name}`, adminPassword: PASSWORD }
  const { organizationId: id, userId: adminId } = await createOrganization(door.service, given)
  const place: Place = {
    id,
    adminId,
    web: await signedIn(door, adminEmail),
    invite: async (email, given = {}) => {
      const { status, body } = await place.web.call('createUser', {
        email,
        name: 'Somebody',
        role: 'editor',
        ...given,
      })
      if (status !== 201) throw new Error(`${email} was not invited: ${JSON.stringify(body)}`)
      return body
    },
  }
  return place
}

/** A browser in which somebody has given their password. */
export async function signedIn(door: Door, email: string, password = PASSWORD): Promise<Web> {
  const web = openWeb(door)
  const { status, body } = await web.call('signIn', { email, password })
  if (status !== 200) throw new Error(`${email} did not get in: ${JSON.stringify(body)}`)
  return web
}

export const tokenOf = (link: string | null): string => link?.split('#token=')[1] ?? ''
