import { recordAction } from '../model/audit-actions.ts'
import { kinds } from '../model/kinds/index.ts'
import { operator } from '../server/caller/operator.ts'
import { entry, insertEntries } from '../server/journal/audit.ts'
import { sealAll, startSealer, unsealedSeconds } from '../server/journal/sealer.ts'
import { compare, interleave, median } from './figures.ts'
import { load, requestBytes } from './http.ts'
import { type Finding, type Row, ratioAtLeast } from './row.ts'
import { makeEndpoint, makeOrganization, type Organization, sampleRisk } from './seed.ts'
import type { Stand } from './stand.ts'

const CONNECTIONS = 16
const MILLISECONDS = 3_000
const BACKLOG = 20_000
const CHAINED_BEFORE = 21_400

export const sealing: Row = {
  name: 'sealing',
  title: 'POST /v1/risks while the sealer of the audit log runs, and while it does not',
  notes: [
    'The service runs with ROLE=api; the sealer runs in a process of its own, this one, as it would in a worker, and',
    'on the same cores. Without it the entries wait, and are sealed before the next turn. How fast it seals is measured',
    `with nobody writing, ${BACKLOG.toLocaleString('en')} entries at a time, beside the ${CHAINED_BEFORE.toLocaleString('en')}/s that a study of the design measured.`,
  ],
  run: measure,
}

async function measure(stand: Stand): Promise<Finding[]> {
  const database = await stand.database()
  const organizations: Organization[] = []
  for (let made = 0; made < CONNECTIONS; made++) {
    const organization = await makeOrganization(database.administrator, stand.masterKey)
    await makeEndpoint(database.administrator, stand.masterKey, organization.id, 'https://receiver.example/')
    organizations.push(organization)
  }
  const service = await stand.service(database, { ROLE: 'api' })
  const parts = stand.parts(database)
  const { engine } = parts.database
  const requests = organizations.map((one) => requestBytes('POST', '/v1/risks', one.secret, sampleRisk(one)))
  const writers = () => load(service.port, requests, { milliseconds: MILLISECONDS, status: 201 })
  const alone = async () => {
    const rate = await writers()
    await sealAll(engine)
    return rate
  }
  const waited: number[] = []
  const beside = async () => {
    const sealer = startSealer(parts)
    const rate = await writers()
    waited.push(await unsealedSeconds(engine))
    await sealer.stop()
    await sealAll(engine)
    return rate
  }
  stand.say('sealing: warming up')
  await alone()
  stand.say('sealing: writers with the sealer against writers alone')
  const rates = await interleave(stand.rounds, beside, alone)
  stand.say('sealing: how fast it seals')
  const sealed: number[] = []
  for (let round = 0; round < stand.rounds; round++) {
    const event = {
      time: new Date().toISOString(),
      action: recordAction(kinds.risk, 'create'),
      subject: { type: 'risk', id: 'risk_x' },
    }
    const rows = Array.from({ length: BACKLOG }, (_, index) =>
      entry(operator(organizations[index % CONNECTIONS]!.id), event),
    )
    await database.administrator.query(insertEntries(rows))
    const start = performance.now()
    await sealAll(engine)
    sealed.push((BACKLOG / (performance.now() - start)) * 1_000)
  }
  await parts.close()
  await service.stop()
  return [
    {
      measure: `risks created while it seals (oldest waited ${median(waited).toFixed(1)} s)`,
      unit: '/s',
      ...compare(rates.products, rates.yardsticks),
      yardstickIs: 'sealer off',
      target: ratioAtLeast(0.97),
    },
    {
      measure: 'entries sealed, nobody writing',
      unit: '/s',
      product: median(sealed),
      yardstick: CHAINED_BEFORE,
      yardstickIs: 'measured in a study',
      ratio: median(sealed) / CHAINED_BEFORE,
      target: null,
    },
  ]
}
