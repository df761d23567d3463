import { expect } from 'vitest'
import type { Caller } from '../../server/caller/caller.ts'
import type { Door } from './door.ts'
import { type Guest, openGuest } from './guest.ts'
import { type Mail, type MailServer, startMailServer } from './mail-server.ts'
import { startTestService, type TestOrganization, type TestService } from './service.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every form
type Answer = any

/** An organization whose policies ask the people of one department each, and the mailboxes of those. */
export interface Rounds {
  readonly one: TestService
  readonly door: Door
  readonly server: MailServer
  readonly acme: TestOrganization
  readonly approver: Caller
  readonly editor: Caller
  ask(who: Caller, name: string, input?: object): Promise<Answer>
  /** With which code it is refused, or `done`. */
  refused(who: Caller, name: string, input: object): Promise<string>
  /** Somebody of a department, by their id. */
  person(department: string, more?: object): Promise<string>
  approved(policyId: string, given: object): Promise<string>
  publish(policyId: string, given: object): Promise<string>
  /** A policy in force for one department. */
  policyFor(department: string, given?: object): Promise<{ id: string; versionId: string }>
  round(policyId: string): Promise<Answer>
  /** The one who was asked last. */
  only(policyId: string): Promise<Answer>
  mailsTo(department: string): number
  mailed(department: string): Promise<Mail>
  /** Proves the mailbox of a guest who has opened a link. */
  prove(guest: Guest, address: string): Promise<void>
  /** Reads by a link, proves the mailbox, and agrees. */
  acknowledgeBy(link: string, address: string): Promise<void>
  close(): Promise<void>
}

export const addressOf = (department: string) => `${department.toLowerCase()}@acme.example`

/** What is sent by who agrees to a text that they read. */
export const consentTo = ({ id, contentSha256 }: { id: string; contentSha256: string }) => ({
  id,
  contentSha256,
  isAgreed: true,
  reachedEnd: true,
})

export async function startRounds(): Promise<Rounds> {
  const server = await startMailServer()
  const one = await startTestService({ SMTP_URL: server.url, TRUSTED_PROXIES: '127.0.0.1' })
  const door = await one.listen()
  const acme = await one.organization()
  const [approver, editor] = [await acme.person('editor'), await acme.person('editor')]
  const ask: Rounds['ask'] = async (who, name, input = {}) =>
    ((await one.call(who, name, input)) as { body: unknown }).body
  const rounds: Rounds = {
    ...{ one, door, server, acme, approver, editor, ask },
    refused: (who, name, input) =>
      one.call(who, name, input).then(
        () => 'done',
        ({ code }) => code,
      ),
    person: async (department, more = {}) => {
      const given = { fullName: `Reader of ${department}`, workEmail: addressOf(department), department }
      return (await ask(acme.admin, 'createPersonnel', { ...given, ...more })).id
    },
    approved: async (policyId, given) => {
      const { id } = await ask(acme.admin, 'createPolicyVersion', { policyId, ...given })
      const { contentSha256, round } = await ask(acme.admin, 'submitPolicyVersion', { id })
      await ask(approver, 'approvePolicyVersion', { id, contentSha256, round })
      return id
    },
    publish: async (policyId, given) => {
      const id = await rounds.approved(policyId, given)
      await ask(acme.admin, 'publishPolicyVersion', { id })
      return id
    },
    policyFor: async (department, given = {}) => {
      const { id } = await ask(acme.admin, 'createPolicy', {
        ...{ name: `Rules of ${department}`, approver: { type: 'user', refId: approver.userId } },
        ...{ requiresAttestation: true, attestationDueDays: 14 },
        ...{ audience: 'departments', audienceIds: [department], ...given },
      })
      return { id, versionId: await rounds.publish(id, { content: 'Be careful.' }) }
    },
    round: (policyId) => ask(acme.admin, 'listAttestations', { policyId }),
    only: async (policyId) => (await rounds.round(policyId)).data[0],
    mailsTo: (department) => server.mails.filter(({ to }) => to === addressOf(department)).length,
    mailed: (department) => server.next(addressOf(department)),
    prove: async (guest, address) => {
      expect((await guest.call('sendGuestCode')).status).toBe(200)
      const [code] = /^\d{6}/.exec((await server.next(address)).subject)!
      expect((await guest.call('confirmGuestCode', { code })).status).toBe(200)
    },
    acknowledgeBy: async (link, address) => {
      const guest = openGuest(door)
      await guest.open(link)
      const { body: read } = await guest.call('readPolicyAsGuest')
      await rounds.prove(guest, address)
      const said = await guest.call('acknowledgePolicyAsGuest', consentTo(read))
      expect(said.body.status).toBe('acknowledged')
    },
    close: async () => {
      await one.close()
      await server.close()
    },
  }
  return rounds
}
