import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import type { Kind } from '../model/kind.ts'
import { kinds } from '../model/kinds/index.ts'
import { IncomingBytes } from '../server/bytes.ts'
import { transaction } from '../server/database/transaction.ts'
import { type KeptCatalog, keptFormOf } from '../server/frameworks/kept-catalog.ts'
import { readCatalog } from '../server/frameworks/read-catalog.ts'
import { createRecord, createRecords } from '../server/records/create-record.ts'
import { askAs } from './ask.ts'
import { compare, interleave } from './figures.ts'
import { residentMemoryOf } from './memory.ts'
import { below, type Finding, type Row, ratioAtLeast } from './row.ts'
import { makeOrganization, personOf } from './seed.ts'
import type { Stand } from './stand.ts'

const TOGETHER = 100
const CATALOGS = [
  { name: 'revision 4', file: 'nist-sp-800-53-rev-4.json.gz' },
  { name: 'high baseline', file: 'nist-sp-800-53-rev-5-high-baseline.json.gz' },
]

export const catalogs: Row = {
  name: 'catalogs',
  title:
    'NIST SP 800-53 as OSCAL, revision 4 (922 controls) and the high baseline of revision 5 (370): planned and carried out',
  notes: [
    `The yardstick writes the same requirements with the functions of the product, ${TOGETHER} in a transaction, from values that it`,
    'has ready: it compares nothing and waits for no job. What reading the file alone takes is measured beside and taken away.',
    'Jobs are worked by a process of their own, whose peak of memory is told, as is that of the program that reads the file.',
  ],
  run: measure,
}

async function measure(stand: Stand): Promise<Finding[]> {
  const database = await stand.database()
  const organization = await makeOrganization(database.administrator, stand.masterKey)
  const parts = stand.parts(database)
  const worker = await stand.service(database, { ROLE: 'worker' })
  const caller = personOf(organization)
  let made = 0
  const ask = askAs(parts, caller)
  const importFile = async (file: Buffer) => {
    made += 1
    const framework = { edition: `product ${made}` }
    const { id } = await ask('startFrameworkImport', { fileName: 'catalog.json', framework })
    const content = new IncomingBytes('application/json', file.length, inOne(file))
    const before = performance.now()
    await readCatalog(organization.id, file)
    const from = performance.now()
    const reading = from - before
    await ask('sendFrameworkFile', { id, content })
    const sentAt = performance.now()
    await ask('applyFrameworkImport', { id })
    for (;;) {
      const now = await ask<Import>('getFrameworkImport', { id })
      if (now.job?.failure) throw new Error(now.job.failure)
      if (now.stage === 'applied')
        return {
          reading,
          plan: Math.max(0, sentAt - from - reading),
          apply: performance.now() - sentAt,
          count: now.result!.added,
        }
      await sleep(10)
    }
  }
  const writeAlone = async ({ framework, requirements }: KeptCatalog) => {
    made += 1
    const from = performance.now()
    const ids = new Map<string | null, string | null>([[null, null]])
    const set = { ...framework, edition: `yardstick ${made}`, kind: 'catalog', sourceFormat: 'oscal' }
    const within = <T>(work: (context: Parameters<typeof createRecord>[0]) => Promise<T>) =>
      transaction(parts.database.tenant, organization.id, (tx) => work({ tx, caller, parts }))
    const { id } = await within((context) =>
      createRecord(context, kinds.framework as unknown as Kind, { set }),
    )
    for (const rows of inTurn(requirements))
      await within(async (context) => {
        const records = await createRecords(
          context,
          kinds.requirement as unknown as Kind,
          rows.map(({ values, parentKey }, at) => ({
            set: { ...values, frameworkId: id, parentId: ids.get(parentKey), sortOrder: at },
          })),
        )
        for (const [at, record] of records.entries()) {
          if (record instanceof Error) throw record
          ids.set(rows[at]!.values.key, record.id as string)
        }
      })
    return requirements.length / ((performance.now() - from) / 1000)
  }
  const findings: Finding[] = []
  const peak = { worker: 0, reader: 0 }
  const idle = residentMemoryOf(worker.pid)
  const timer = setInterval(() => {
    peak.worker = Math.max(peak.worker, residentMemoryOf(worker.pid))
    peak.reader = Math.max(peak.reader, readersOf(process.pid))
  }, 20)
  for (const { name, file: fileName } of CATALOGS) {
    const file = gunzipSync(readFileSync(join(import.meta.dirname, '..', 'test', 'published', fileName)))
    const reading = await readCatalog(organization.id, file)
    const kept = 'catalog' in reading ? await keptFormOf(reading.catalog) : reading
    if (!('requirements' in kept)) throw new Error('faults' in kept ? kept.faults[0]!.message : 'no catalog')
    stand.say(`catalogs: ${name}`)
    await importFile(file)
    await writeAlone(kept)
    const whole: number[] = []
    const product = async () => {
      const { reading, plan, apply, count } = await importFile(file)
      const told = Object.entries({ reading, plan, apply }).map(
        ([what, ms]) => `${what} ${Math.round(ms)} ms`,
      )
      stand.say(`catalogs: ${told.join(', ')}`)
      whole.push(count / ((reading + plan + apply) / 1000))
      return count / ((plan + apply) / 1000)
    }
    const rates = await interleave(stand.rounds, product, () => writeAlone(kept))
    const yardstickIs = 'the same rows, written alone'
    findings.push(
      {
        measure: `${name}: requirements planned and written`,
        unit: '/s',
        ...compare(rates.products, rates.yardsticks),
        yardstickIs,
        target: ratioAtLeast(0.5),
      },
      {
        measure: `${name}: the same with reading the file`,
        unit: '/s',
        ...compare(whole, rates.yardsticks),
        yardstickIs,
        target: null,
      },
    )
  }
  clearInterval(timer)
  await worker.stop()
  await parts.close()
  return [
    ...findings,
    ...(['worker', 'reader'] as const).map((which) => ({
      measure: `memory of the ${which}`,
      unit: 'MB' as const,
      product: peak[which],
      yardstick: idle,
      yardstickIs: 'a worker that is ready',
      ratio: peak[which] / idle,
      target: below(250),
    })),
  ]
}

/** Parents before their children: those of a depth, some at a time. */
function inTurn(requirements: KeptCatalog['requirements']): KeptCatalog['requirements'][] {
  const depths = new Map<string | null, number>([[null, -1]])
  const levels: KeptCatalog['requirements'][number][][] = []
  for (const one of requirements) {
    const depth = depths.get(one.parentKey)! + 1
    depths.set(one.values.key, depth)
    levels[depth] ??= []
    levels[depth].push(one)
  }
  return levels.flatMap((level) =>
    Array.from({ length: Math.ceil(level.length / TOGETHER) }, (_, at) =>
      level.slice(at * TOGETHER, (at + 1) * TOGETHER),
    ),
  )
}

interface Import {
  readonly id: string
  readonly stage: string
  readonly result: { readonly added: number } | null
  readonly job: { readonly failure: string | null } | null
}

/** What the programs hold that read files for a process, in MB. */
function readersOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' '))
      .filter(
        (child) => child !== '' && readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('reading/program'),
      )
      .reduce((sum, child) => sum + residentMemoryOf(Number(child)), 0)
  } catch {
    return 0
  }
}

async function* inOne(bytes: Buffer) {
  yield bytes
}
