import { makeRegister, RARE_WORD } from './big-register.ts'
import { median, quantile } from './figures.ts'
import { Connection, requestBytes } from './http.ts'
import { type Finding, type Row, ratioBelow } from './row.ts'
import type { Stand } from './stand.ts'

const MANY = Number(process.env.BENCH_SCALE ?? 1_000_000)
const FEW = 10_000
const EACH_ROUND = 40

/** What somebody types who looks for a record: each asks another index, or another part of one. */
const TYPED: Readonly<Record<string, string>> = {
  'a word of every eighth': 'gateway',
  'two words, each common': 'outdated supplier',
  'a word of one in a thousand': RARE_WORD,
  'a rare word and a common one': `untested ${RARE_WORD}`,
  'how names begin': 'forg',
  'a reference': 'RSK-4711',
  'the number in one name': '9907',
  'a word that stands nowhere': 'zeppelin',
}

export const search: Row = {
  name: 'search',
  title: `GET /v1/search over ${MANY.toLocaleString('en')} records against ${FEW.toLocaleString('en')}, one request at a time`,
  notes: [
    'From the request to the whole answer; the 95th percentile, the median in brackets. The yardstick is the same search of',
    'an organization with fewer records, in a database of its own. BENCH_SCALE makes the large one smaller.',
  ],
  run: measure,
}

async function measure(stand: Stand): Promise<Finding[]> {
  stand.say(`search: filling ${MANY.toLocaleString('en')} records, and ${FEW.toLocaleString('en')}`)
  const [many, few] = [await fillSide(stand, MANY), await fillSide(stand, FEW)]
  const of = { many: await many.open(), few: await few.open() }
  const all = { many: [] as number[], few: [] as number[] }
  const findings: Finding[] = []
  for (const [what, typed] of Object.entries(TYPED)) {
    stand.say(`search: ${what}`)
    const times = { many: [] as number[], few: [] as number[] }
    for (let warm = 0; warm < 5; warm += 1) await Promise.all([of.many(typed), of.few(typed)])
    for (let time = 0; time < EACH_ROUND * stand.rounds; time += 1)
      for (const side of ['many', 'few'] as const) times[side].push(await of[side](typed))
    all.many.push(...times.many)
    all.few.push(...times.few)
    findings.push(finding(what, times, null))
  }
  await many.close()
  await few.close()
  return [finding('all of these', all, ratioBelow(1.5)), ...findings]
}

function finding(
  what: string,
  { many, few }: { many: readonly number[]; few: readonly number[] },
  target: Finding['target'],
): Finding {
  const [product, yardstick] = [quantile(many, 0.95), quantile(few, 0.95)]
  return {
    measure: `${what} (${median(many).toFixed(1)}, ${median(few).toFixed(1)})`,
    unit: 'ms',
    ...{ product, yardstick, ratio: product / yardstick },
    yardstickIs: `of ${FEW.toLocaleString('en')}`,
    target,
  }
}

async function fillSide(stand: Stand, records: number) {
  const register = await makeRegister(stand, records)
  const service = await stand.service(register.database, { ROLE: 'api' })
  let connection: Connection | undefined
  return {
    /** Not before all are filled: the service hangs up on whoever connects and then says nothing for long. */
    async open() {
      const opened = await Connection.open(service.port)
      connection = opened
      return async (typed: string): Promise<number> => {
        const request = requestBytes('GET', `/v1/search?q=${encodeURIComponent(typed)}`, register.secret)
        const began = performance.now()
        const { status, body } = await opened.send(request)
        if (status !== 200) throw new Error(`${status}: ${body.toString().slice(0, 500)}`)
        return performance.now() - began
      }
    },
    async close() {
      connection?.close()
      await service.stop()
    },
  }
}
