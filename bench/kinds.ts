import { callsOf } from '../model/calls.ts'
import { isChild, pathsOf } from '../model/family.ts'
import type { Kind } from '../model/kind.ts'
import { everyKind } from '../model/kinds/index.ts'
import { risk } from '../model/kinds/risk.ts'
import { ROLE_SCOPES } from '../model/scopes.ts'
import { call } from '../server/call.ts'
import { admitKey } from '../server/caller/admission.ts'
import { newId } from '../server/database/ids.ts'
import { operations } from '../server/operations.ts'
import { makePointedAt } from '../test/support/makers.ts'
import { sampleOf } from '../test/support/samples.ts'
import type { TestService } from '../test/support/service.ts'
import { signIn } from './big-register.ts'
import { median } from './figures.ts'
import { Connection, requestBytes, webRequestBytes } from './http.ts'
import { type Finding, type Row, ratioBelow } from './row.ts'
import { makeOrganization } from './seed.ts'
import type { Stand } from './stand.ts'

const RECORDS = 200
const PAGE = 50
const EACH_ROUND = 60
const ONLY = process.env.BENCH_KINDS?.split(',')
/** One may make 1,200 calls a minute. */
const SESSIONS = 16

export const kinds: Row = {
  name: 'kinds',
  title:
    'list, get and create of each kind per KB of its records against the same of risks, one request at a time',
  notes: [
    `${RECORDS} records of each kind with what it requires, pages of ${PAGE}. Medians of the time of a request divided by the size`,
    'of what is answered, taken in turns with risks; created by a person in the web app, as some kinds ask. Whatever a call costs whatever it answers falls on few bytes where',
    'a record is small: so the size of an answer stands beside that of risks, and whether the call itself is slower is',
    'measured as well. BENCH_KINDS names the kinds to measure, with commas between them.',
  ],
  run: measure,
}

/** The next request of those that take turns. */
type Next = () => Buffer | Promise<Buffer>
type Verb = 'list' | 'get' | 'create'

async function measure(stand: Stand): Promise<Finding[]> {
  const database = await stand.database()
  const organization = await makeOrganization(database.administrator, stand.masterKey)
  const service = await stand.service(database, { ROLE: 'api' })
  const connection = await Connection.open(service.port)
  const parts = stand.parts(database)
  const requestContext = { channel: 'rest', requestId: newId('req'), ip: '127.0.0.1' } as const
  const { caller: program } = await admitKey(parts, organization.secret, requestContext)
  // What a record is under may be a person's to make.
  const credential = { type: 'session', id: newId('ses'), name: 'Ada Example' } as const
  const caller = { ...program, credential, granted: ROLE_SCOPES.admin }
  const one = {
    service: parts,
    administrator: database.administrator,
    call: (as: typeof caller, name: string, input: object) =>
      call(parts, as, operations.find((each) => each.name === name)!, input),
  } as unknown as TestService

  const sessions: string[] = []
  for (let session = 0; session < SESSIONS; session += 1) sessions.push(await signIn(parts, organization))
  let turn = 0

  /** Makes records of a kind, and what asks for them. */
  async function asking(kind: Kind): Promise<Record<Verb, Next>> {
    const create = operations.find(({ name }) => name === callsOf(kind).create)!
    const { all } = pathsOf(kind)
    const first = await makePointedAt(one, caller, create)
    const get = (path: string) => requestBytes('GET', path, organization.secret)
    // By a person, as some kinds ask; and under a parent of its own, which may have one at a time.
    const add = async () => {
      const pointing = isChild(kind) ? await makePointedAt(one, caller, create) : first
      const session = sessions[turn++ % SESSIONS]!
      return webRequestBytes(service.port, `/web/${create.name}`, session, sampleOf(create, pointing))
    }
    const ids: string[] = []
    for (let record = 0; record < RECORDS; record += 1) {
      const { status, body } = await connection.send(await add())
      if (status >= 300) throw new Error(`${kind.name}: ${status}: ${body.toString().slice(0, 500)}`)
      ids.push(JSON.parse(body.toString()).id)
    }
    await database.administrator.query('vacuum analyze')
    return {
      list: () => get(`${all}?limit=${PAGE}`),
      get: () => get(`${all}/${ids[turn++ % ids.length]}`),
      create: add,
    }
  }

  stand.say('kinds: risk')
  const ofRisk = await asking(risk)
  const findings: Finding[] = []
  for (const kind of everyKind.filter((each) => each !== risk && (ONLY?.includes(each.name) ?? true))) {
    if (!operations.some(({ name }) => name === callsOf(kind).create)) continue
    stand.say(`kinds: ${kind.name}`)
    const own = await asking(kind)
    for (const verb of ['list', 'get', 'create'] as const) {
      const answers = { own: [] as Answered[], risk: [] as Answered[] }
      for (let time = -10; time < EACH_ROUND * stand.rounds; time += 1)
        for (const [side, next] of [
          ['own', own[verb]],
          ['risk', ofRisk[verb]],
        ] as const) {
          const answered = await ask(connection, await next())
          if (time >= 0) answers[side].push(answered)
        }
      const size = (side: 'own' | 'risk') =>
        median(answers[side].map(({ kilobytes }) => kilobytes)).toFixed(1)
      const compared = (of: (answered: Answered) => number) => {
        const [product, yardstick] = [median(answers.own.map(of)), median(answers.risk.map(of))]
        return { product, yardstick, ratio: product / yardstick, unit: 'ms', yardstickIs: 'risks' } as const
      }
      findings.push(
        {
          measure: `${verb} ${kind.plural}, per KB`,
          ...compared(({ milliseconds, kilobytes }) => milliseconds / kilobytes),
          target: ratioBelow(1.5),
        },
        {
          measure: `  the call, of ${size('own')} and ${size('risk')} KB`,
          ...compared(({ milliseconds }) => milliseconds),
          target: null,
        },
      )
    }
  }
  connection.close()
  await parts.close()
  await service.stop()
  return findings
}

interface Answered {
  readonly milliseconds: number
  readonly kilobytes: number
}

async function ask(connection: Connection, request: Buffer): Promise<Answered> {
  const began = performance.now()
  const { status, body } = await connection.send(request)
  const milliseconds = performance.now() - began
  if (status >= 300) throw new Error(`${status}: ${body.toString().slice(0, 500)}`)
  return { milliseconds, kilobytes: body.length / 1024 }
}
