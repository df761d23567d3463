import { setTimeout as sleep } from 'node:timers/promises'
import { writeXlsx } from 'hucre/xlsx'
import { risk } from '../model/kinds/risk.ts'
import { IncomingBytes } from '../server/bytes.ts'
import { transaction } from '../server/database/transaction.ts'
import { createRecords } from '../server/records/create-record.ts'
import { linkRecords } from '../server/records/link-records.ts'
import { askAs } from './ask.ts'
import { compare, interleave, quantile } from './figures.ts'
import { Connection, requestBytes } from './http.ts'
import { type Finding, type Row, ratioAtLeast, ratioBelow } from './row.ts'
import { makeOrganization, type Organization, personOf, sampleRisk } from './seed.ts'
import type { Stand } from './stand.ts'

const ROWS = 5_000
const TOGETHER = 100
/** So many of each that none has as many links as a record may. */
const LINKED = 500
/** Between two writes of somebody else. */
const PACE_MS = 25

export const imports: Row = {
  name: 'imports',
  title: `${ROWS.toLocaleString('en')} risks from a workbook, each with an owner and two links: planned and carried out`,
  notes: [
    `The yardstick writes the same rows with the functions of the product, ${TOGETHER} in a transaction, and each link as a call does:`,
    'it reads no file, looks nothing up, plans nothing and keeps nothing of what became of each row. Both in the same process.',
    'Writes of others: POST /v1/risks of the same organization on one connection, to a process of its own, forty times a',
    'second; beside the same without an import.',
  ],
  run: measure,
}

async function measure(stand: Stand): Promise<Finding[]> {
  const database = await stand.database()
  const organization = await makeOrganization(database.administrator, stand.masterKey)
  const parts = stand.parts(database)
  await parts.jobs.start()
  const caller = personOf(organization)
  const ask = askAs(parts, caller)
  const made = async (name: string, input: (at: number) => object) => {
    const all: { id: string; reference: string }[] = []
    for (let at = 0; at < LINKED; at++) all.push(await ask(name, input(at)))
    return all
  }
  const controls = await made('createControl', (at) => ({ code: `C-${at}`, title: `Control ${at}` }))
  const vendors = await made('createVendor', (at) => ({ name: `Vendor ${at}` }))
  const linked = (at: number) => [controls[at % LINKED]!, vendors[(at * 7) % LINKED]!] as const
  const head = ['Title', 'Description', 'Category', 'Likelihood', 'Impact', 'Owner', 'Controls', 'Vendors']
  const { title, description } = sampleRisk(organization)
  const rows = Array.from({ length: ROWS }, (_, at) => {
    const [control, vendor] = linked(at)
    const links = [control.reference, vendor.reference]
    return [`${title} ${at}`, description, 'Technical', 'Possible', 'Major', 'Ada Example', ...links]
  })
  const file = Buffer.from(await writeXlsx({ sheets: [{ name: 'Risks', rows: [head, ...rows] }] }))

  const importFile = async () => {
    const begun = await ask<Bulk>('startImport', { type: 'risk', name: 'risks.xlsx' })
    const content = new IncomingBytes('application/octet-stream', file.length, inOne(file))
    const from = performance.now()
    const read = await ask<Bulk>('sendImportFile', { id: begun.id, content })
    const readAt = performance.now()
    await ask('planImport', { id: begun.id, columns: read.columns.map(({ key }) => key) })
    await until(ask, begun.id, 'planned')
    const plannedAt = performance.now()
    await ask('applyBulkChange', { id: begun.id, rows: 'good', confirm: true })
    const { done } = await until(ask, begun.id, 'applied')
    if (done?.created !== ROWS) throw new Error(`imports: ${JSON.stringify(done)}`)
    const end = performance.now()
    return { read: readAt - from, plan: plannedAt - readAt, apply: end - plannedAt }
  }
  const bulkWrite = async () => {
    const from = performance.now()
    const given = {
      description,
      category: 'technical',
      likelihood: 'possible',
      impact: 'major',
      status: 'identified',
    }
    const owner = { type: 'user', refId: organization.userId }
    for (let at = 0; at < ROWS; at += TOGETHER)
      await transaction(parts.database.tenant, organization.id, async (tx) => {
        const context = { tx, caller, parts }
        const some = Array.from({ length: TOGETHER }, (_, one) => ({
          given: { ...given, title: `${title} ${at + one}`, owner, source: 'import', labels: [] },
        }))
        const records = await createRecords(context, risk, some)
        await Promise.all(
          records.map(async (record, one) => {
            if (record instanceof Error) throw record
            const [control, vendor] = linked(at + one)
            const id = String(record.id)
            await linkRecords(context, risk, { id, targetKind: 'control', targetId: control.id })
            await linkRecords(context, risk, { id, targetKind: 'vendor', targetId: vendor.id })
          }),
        )
      })
    return ROWS / ((performance.now() - from) / 1000)
  }

  stand.say('imports: warming up')
  await importFile()
  await bulkWrite()
  stand.say('imports: against the bulk write of the same rows')
  const parted: Parted[] = []
  const product = async () => {
    const one = await importFile()
    parted.push(one)
    return ROWS / ((one.plan + one.apply) / 1000)
  }
  const rates = await interleave(stand.rounds, product, bulkWrite)
  const [first] = parted
  stand.say(
    `imports: ${['read', 'plan', 'apply'].map((what) => `${what} ${Math.round(first![what as keyof Parted])} ms`).join(', ')}`,
  )
  const whole = parted.map(({ read, plan, apply }) => ROWS / ((read + plan + apply) / 1000))
  stand.say('imports: what others notice of it')
  const others = await writesOfOthers(stand, database, organization, importFile)
  await parts.close()
  const yardstickIs = 'bulk write of the rows'
  return [
    {
      measure: 'rows planned and written',
      unit: '/s',
      ...compare(rates.products, rates.yardsticks),
      yardstickIs,
      target: ratioAtLeast(0.6),
    },
    {
      measure: 'the same with reading the file',
      unit: '/s',
      ...compare(whole, rates.yardsticks),
      yardstickIs,
      target: null,
    },
    others,
  ]
}

interface Bulk {
  readonly id: string
  readonly stage: string
  readonly columns: readonly { key: string | null }[]
  readonly job: { readonly id: string; readonly failure: string | null } | null
  readonly done: { created: number } | null
}

interface Job {
  readonly endedAt: string | null
}

interface Parted {
  readonly read: number
  readonly plan: number
  readonly apply: number
}

/** It asks for the job: the change itself counts its rows each time, which would be measured as well. */
async function until(
  ask: <Body>(name: string, input: object) => Promise<Body>,
  id: string,
  stage: string,
): Promise<Bulk> {
  const { job } = await ask<Bulk>('getBulkChange', { id })
  while (!(await ask<Job>('getJob', { id: job!.id })).endedAt) await sleep(25)
  const now = await ask<Bulk>('getBulkChange', { id })
  if (now.stage !== stage) throw new Error(`imports: ${now.job?.failure ?? now.stage}`)
  return now
}

async function writesOfOthers(
  stand: Stand,
  database: Parameters<Stand['service']>[0],
  organization: Organization,
  importFile: () => Promise<unknown>,
): Promise<Finding> {
  const service = await stand.service(database, { ROLE: 'api' })
  const connection = await Connection.open(service.port)
  const request = requestBytes('POST', '/v1/risks', organization.secret, sampleRisk(organization))
  const writing = async (isOver: () => boolean) => {
    const times: number[] = []
    while (!isOver()) {
      const from = performance.now()
      const { status } = await connection.send(request)
      if (status !== 201) throw new Error(`imports: ${status}`)
      times.push(performance.now() - from)
      await sleep(PACE_MS)
    }
    return quantile(times, 0.95)
  }
  const alone = async () => {
    const end = performance.now() + 5_000
    return writing(() => performance.now() > end)
  }
  const during = async () => {
    let isOver = false
    const importing = importFile().finally(() => {
      isOver = true
    })
    const p95 = await writing(() => isOver)
    await importing
    return p95
  }
  await alone()
  const { products, yardsticks } = await interleave(stand.rounds, during, alone)
  connection.close()
  await service.stop()
  return {
    measure: 'writes of others, p95',
    unit: 'ms',
    ...compare(products, yardsticks),
    yardstickIs: 'without an import',
    target: ratioBelow(1.5),
  }
}

async function* inOne(bytes: Buffer) {
  yield bytes
}
