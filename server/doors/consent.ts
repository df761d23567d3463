import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { z } from 'zod'
import { type Session, signedOut } from '../caller/session.ts'
import { parseInput } from '../input.ts'
import { approve, consentRequestOf, deny, type Interaction } from '../oauth/consent.ts'
import { consentPath } from '../oauth/routes.ts'
import type { Parts } from '../operation.ts'
import { scopeName } from '../organization/api-key-record.ts'
import { Refusal } from '../refusal.ts'
import { objectOf, refuseCrossSite, requestContextOf, sessionOf, show } from './web.ts'

const nothing = z.strictObject({})
const answer = z.strictObject({
  organizationId: z.string().min(1).max(100),
  scopes: z.array(scopeName).max(100),
})

/**
 * The calls of the page that asks a person whether a program may come in: what is asked, yes, and no. They are
 * held like all calls of the web app, and know the request by a cookie that the browser sends to these paths
 * alone. Each says where the browser goes next; the page takes it there itself.
 */
export function addConsentRoutes(
  app: FastifyInstance,
  parts: Parts,
  provider: () => Promise<Provider>,
): void {
  const call = <Input extends z.ZodObject>(
    name: string,
    input: Input,
    run: (asked: Asked, input: z.output<Input>) => Promise<object>,
  ) =>
    app.post(`${consentPath(':uid')}/${name}`, async (request, reply) => {
      refuseCrossSite(request, parts.config)
      const given = parseInput({ input }, await objectOf(request)) as z.output<Input>
      const interaction = await interactionOf(await provider(), request, reply)
      return show(reply, await run({ request, interaction }, given))
    })

  /** @throws {Refusal} `credential_missing`, and the page lets the person sign in where it is */
  const signedIn = async (request: FastifyRequest): Promise<Session> => {
    const session = await sessionOf(parts, request)
    if (!session) throw signedOut()
    return session
  }

  call('request', nothing, async ({ request, interaction }) =>
    consentRequestOf(parts, await provider(), interaction, await signedIn(request)),
  )
  call('approve', answer, async ({ request, interaction }, input) => ({
    returnTo: await approve(
      parts,
      await provider(),
      interaction,
      await signedIn(request),
      requestContextOf(request),
      input,
    ),
  }))
  // Whoever sits there may say no.
  call('deny', nothing, async ({ interaction }) => ({ returnTo: await deny(interaction) }))
}

interface Asked {
  readonly request: FastifyRequest
  readonly interaction: Interaction
}

/** @throws {Refusal} `not_found` for a request that this browser did not come with, or that is over */
async function interactionOf(
  provider: Provider,
  { raw, params }: FastifyRequest,
  reply: FastifyReply,
): Promise<Interaction> {
  const over = () =>
    new Refusal('not_found', 'This request is over: go back to the app and connect it again.')
  try {
    const interaction = await provider.interactionDetails(raw, reply.raw)
    if (interaction.uid !== (params as { uid: string }).uid) throw over()
    return interaction
  } catch (error) {
    throw (error as Error).name === 'SessionNotFound' ? over() : error
  }
}
