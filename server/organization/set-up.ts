import { z } from 'zod'
import { ORGANIZATION_FIELDS } from '../../model/organization.ts'
import { isLanguage, isTimeZone } from '../../model/places.ts'
import { holderOfSetUpLink } from '../caller/operator.ts'
import { statement } from '../database/connect.ts'
import { gateTransaction, type Transaction } from '../database/transaction.ts'
import { makeLink, peekLink, useLink } from '../identity/one-time-links.ts'
import { password } from '../identity/passwords.ts'
import { email } from '../identity/people.ts'
import { beginSession } from '../identity/sessions.ts'
import { operation, type Parts } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import { MEMBER_FIELDS } from './members.ts'
import { createOrganization } from './organizations.ts'

/**
 * The first organization and its first admin, made in the browser by whoever can read what the service
 * printed when it started. As soon as there is an organization, by this way or another, no such link works.
 */
export const setUp = operation({
  name: 'setUp',
  title: 'Make the first organization and its admin',
  by: 'anybody',
  input: z.strictObject({
    token: z.string().min(1).max(100),
    organizationName: ORGANIZATION_FIELDS.name,
    name: MEMBER_FIELDS.name,
    email,
    password,
    locale: z
      .string()
      .max(35)
      .optional()
      .describe('Taken from the browser; one that is not known is left out'),
    timezone: z.string().max(64).optional().describe('The same'),
  }),
  output: z.object({}),
  run: async (
    { parts, requestContext, session },
    { token, organizationName, name, email, password, ...formats },
  ) => {
    await peekLink(parts, 'set_up', token) // before a password is hashed for it
    const made = await createOrganization(
      parts,
      {
        name: organizationName,
        adminEmail: email,
        adminName: name,
        adminPassword: password,
        ...known(formats),
      },
      (organizationId) => holderOfSetUpLink(organizationId, requestContext),
      async (tx) => {
        await useLink(parts, tx, 'set_up', token)
        await refuseLater(tx)
      },
    ).catch((error) => {
      throw inItsOwnWords(error)
    })
    return {
      body: {},
      cookies: { session: await beginSession(parts, requestContext, { ...made, method: 'link' }, session) },
    }
  },
})

/** Nobody chose these by hand, so nobody is told of one that cannot be taken. */
function known({ locale, timezone }: { locale?: string | undefined; timezone?: string | undefined }) {
  return {
    ...(locale !== undefined && isLanguage(locale) ? { locale } : {}),
    ...(timezone !== undefined && isTimeZone(timezone) ? { timezone } : {}),
  }
}

/** A link to set the service up, or null where there is an organization already. */
export async function makeSetUpLink(parts: Parts): Promise<string | null> {
  return gateTransaction(parts.database.tenant, async (tx) => {
    const rows = await tx.readAsGate(anyOrganization())
    return rows.length > 0 ? null : makeLink(parts, tx, { purpose: 'set_up' }).address
  })
}

async function refuseLater(tx: Transaction): Promise<void> {
  await tx.readAsGate(oneAtATime())
  const rows = await tx.readAsGate(anyOrganization())
  if (rows.length > 0) throw new Refusal('link_invalid', 'There is an organization already: sign in.')
}

/** The fields as this page names them. */
function inItsOwnWords(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.code !== 'validation_failed') return error
  const names: Record<string, string> = {
    name: 'organizationName',
    adminEmail: 'email',
    adminName: 'name',
    adminPassword: 'password',
  }
  const errors = (error.members.errors as { path: string; message: string }[]).map(({ path, message }) => ({
    path: names[path] ?? path,
    message,
  }))
  return new Refusal('validation_failed', error.message, { errors })
}

const anyOrganization = statement('select from organizations limit 1')
const oneAtATime = statement("select pg_advisory_xact_lock(hashtext('plumbline.set_up'))")
