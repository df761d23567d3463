import { expect } from 'vitest'
import type { Caller } from '../../server/caller/caller.ts'
import type { Refusal } from '../../server/refusal.ts'
import type { Door } from './door.ts'
import { type MailServer, startMailServer } from './mail-server.ts'
import type { TestOrganization, TestService } from './service.ts'

/** What an answer of a call has, as far as tests of policies look into it. */
export interface Answer {
  readonly id: string
  readonly policyId: string
  readonly draftVersionId: string
  readonly status: string
  readonly content: string
  readonly text: string
  readonly contentSha256: string
  readonly round: number
  readonly event: string
  /** Of a link, by which bytes are fetched once. */
  readonly url: string
  readonly data: readonly Answer[]
}

/** With what a call is refused, and the first field that it names. */
export interface Refused {
  readonly code: string
  readonly path?: string
  readonly message?: string
}

/**
 * An organization with those whom a policy passes through: who writes it, who approves it, and in the department Sales a
 * member and somebody who does not sign in.
 */
export interface Policies<Started extends TestService = TestService> {
  readonly one: Started
  readonly door: Door
  readonly server: MailServer
  readonly acme: TestOrganization
  readonly author: Caller
  readonly approver: Caller
  readonly member: Caller
  as(caller: Caller, name: string, input?: object): Promise<Answer>
  /** Null where it is not refused. */
  refused(caller: Caller, name: string, input?: object): Promise<Refused | null>
  /** A policy of the author's, which the approver approves, and the id of its first draft. */
  drafted(content?: string, policy?: object): Promise<{ policy: Answer; id: string }>
  /** A draft, submitted, approved and published. */
  published(versionId: string): Promise<Answer>
  /** What is behind the link that a call answers. */
  bytesOf(caller: Caller, name: string, input: object): Promise<Buffer>
  close(): Promise<void>
}

/** Where the one who does not sign in gets mail. */
export const GUEST = 'guest@acme.example'

/** Asks whoever is in Sales to acknowledge a policy. */
export const ASKS_SALES = { audience: 'departments', audienceIds: ['Sales'], requiresAttestation: true }

export const userOf = ({ userId }: Caller) => ({ type: 'user', refId: userId })

/** @param start starts a service, or a site with a browser before it */
export async function startPolicies<Started extends TestService>(
  start: (environment: Record<string, string>) => Promise<Started>,
): Promise<Policies<Started>> {
  const server = await startMailServer()
  const one = await start({ SMTP_URL: server.url })
  const door = 'door' in one ? (one.door as Door) : await one.listen()
  const acme = await one.organization()
  const [author, approver, member] = [
    await acme.person('editor'),
    await acme.person('editor'),
    await acme.person('viewer'),
  ]
  const as: Policies['as'] = async (caller, name, input = {}) =>
    ((await one.call(caller, name, input)) as { body: Answer }).body
  for (const [fullName, workEmail, more] of [
    ['Member', 'member@acme.example', { userId: member.userId }],
    ['Guest', GUEST, {}],
  ] as const)
    await as(acme.admin, 'createPersonnel', { fullName, workEmail, department: 'Sales', ...more })
  return {
    ...{ one, door, server, acme, author, approver, member, as },
    refused: (caller, name, input = {}) =>
      one.call(caller, name, input).then(
        () => null,
        ({ code, members }: Refusal) => ({ code, ...(members.errors as Omit<Refused, 'code'>[])?.[0] }),
      ),
    drafted: async (content = 'As a text.', more = {}) => {
      const policy = await as(author, 'createPolicy', {
        ...{ name: 'Clean desk', owner: userOf(author), approver: userOf(approver) },
        ...more,
      })
      const { id } = await as(author, 'createPolicyVersion', { policyId: policy.id, content })
      return { policy, id }
    },
    published: async (id) => {
      const { contentSha256, round } = await as(author, 'submitPolicyVersion', { id })
      await as(approver, 'approvePolicyVersion', { id, contentSha256, round })
      return as(author, 'publishPolicyVersion', { id })
    },
    bytesOf: async (caller, name, input) => {
      const { url } = await as(caller, name, input)
      const answer = await fetch(`${door.base}${new URL(url).pathname}`)
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment/)
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      return Buffer.from(await answer.arrayBuffer())
    },
    close: async () => {
      await one.close()
      await server.close()
    },
  }
}
