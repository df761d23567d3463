import { z } from 'zod'
import { LIMITED_VIEWS } from '../../../model/limited-view.ts'
import { MATRIX } from '../../../model/risk-matrix-schema.ts'
import { ROLE_CAPABILITIES } from '../../../model/scopes.ts'
import { statement } from '../../database/connect.ts'
import { transaction } from '../../database/transaction.ts'
import { anySession, operation } from '../../operation.ts'
import { readCurrentMatrix } from '../../records/current-risk-matrix.ts'
import { Refusal } from '../../refusal.ts'
import { organizationsOf } from '../people.ts'
import { endSession, rotateSession } from '../sessions.ts'

const organization = z.object({ id: z.string(), name: z.string() })
const role = z.enum(['admin', 'editor', 'viewer'])

/** What the web app asks first: who is here, where, and what they may do. */
export const getSession = operation({
  name: 'getSession',
  title: 'Read who is signed in',
  by: 'anybody',
  input: z.strictObject({}),
  output: z.union([
    z.object({ state: z.literal('signed_out'), setUpNeeded: z.boolean(), mail: z.boolean() }),
    z.object({
      state: z.literal('signed_in'),
      session: z.object({ id: z.string(), authenticatedAt: z.string(), provider: z.string().nullable() }),
      lacksSecondFactor: z
        .boolean()
        .describe('The organization asks for one, and nothing of it is open until then'),
      person: z.object({ id: z.string(), email: z.string(), name: z.string() }),
      organization: organization.extend({
        features: z.record(z.string(), z.boolean()),
        locale: z.string(),
        timezone: z.string(),
        currency: z.string(),
        riskMatrix: z
          .object({ ...MATRIX, version: z.int() })
          .nullable()
          .describe('What levels and steps are called and look like; null for those of every organization'),
      }),
      role,
      limitedView: z.enum(LIMITED_VIEWS).nullable(),
      capabilities: z.array(z.string()),
      organizations: z.array(organization.extend({ role })),
      mail: z.boolean(),
      deliveries: z.object({
        attempts: z.int().describe('By schedule, the first included'),
        retriedForMs: z.int().describe('From the first to the last of them'),
      }),
    }),
  ]),
  run: async ({ parts, session }) => {
    const mail = parts.config.smtpUrl !== null
    const delays = parts.config.webhookRetryDelays
    if (!session) {
      const { rows } = await parts.database.gate.query(isEmpty())
      return { body: { state: 'signed_out' as const, setUpNeeded: rows.length === 0, mail } }
    }
    const { id, authenticatedAt, providerId, userId, accountId, email, name, role, limitedView } = session
    const [organizations, riskMatrix] = await Promise.all([
      organizationsOf(parts, accountId),
      session.lacksSecondFactor
        ? null
        : transaction(parts.database.tenant, session.organizationId, readCurrentMatrix),
    ])
    return {
      body: {
        state: 'signed_in' as const,
        session: { id, authenticatedAt, provider: providerId },
        lacksSecondFactor: session.lacksSecondFactor,
        person: { id: userId, email, name },
        organization: {
          id: session.organizationId,
          name: session.organizationName,
          features: { ...session.features },
          ...session.formats,
          riskMatrix,
        },
        role,
        limitedView,
        capabilities: [...ROLE_CAPABILITIES[role]],
        organizations: organizations.filter(
          (one) => providerId === null || one.id === session.organizationId,
        ),
        mail,
        deliveries: { attempts: delays.length + 1, retriedForMs: delays.reduce((sum, one) => sum + one, 0) },
      },
    }
  },
})

/** A session belongs to one organization; this takes it to another one of the same person. */
export const switchOrganization = operation({
  name: 'switchOrganization',
  title: 'Go to another organization',
  by: 'session',
  needs: anySession(),
  input: z.strictObject({ organizationId: z.string().min(1).max(100) }),
  output: z.object({}),
  run: async ({ parts, session }, { organizationId }) => {
    if (session.providerId && organizationId !== session.organizationId)
      throw new Refusal(
        'identity_unconfirmed',
        'You came in through the sign-in of one organization: sign in with your own password for another.',
      )
    const cookies = await rotateSession(parts, session, { organizationId })
    return { body: {}, cookies, isSameSession: true }
  },
})

export const signOut = operation({
  name: 'signOut',
  title: 'Sign out',
  by: 'session',
  needs: anySession(),
  input: z.strictObject({}),
  output: z.object({}),
  run: async ({ parts, requestContext, session }) => {
    await endSession(parts, session, requestContext)
    return { body: {}, cookies: { session: null } }
  },
})

const isEmpty = statement('select from organizations limit 1')
