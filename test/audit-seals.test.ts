import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NO_TRUST, readCheckpoints } from '../client/audit-log/trust.ts'
import { Verifier } from '../client/audit-log/verifier.ts'
import { recordAction } from '../model/audit-actions.ts'
import { kinds } from '../model/kinds/index.ts'
import { openMetrics } from '../server/doors/metrics.ts'
import { entry, insertEntries, insertEntry } from '../server/journal/audit.ts'
import { writeDueCheckpoints } from '../server/journal/checkpoints.ts'
import { sealAll, sealOrganization, startSealer } from '../server/journal/sealer.ts'
import { publicKeys, rotateSigningKey, signingKey } from '../server/journal/signing-keys.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* Every entry that is committed gets one seal, in a chain without a gap or a fork, whoever seals and however often. */

let one: TestService
beforeAll(async () => {
  one = await startTestService()
})
afterAll(() => one.close())

const engine = () => one.service.database.engine
const seal = () => sealAll(engine())
const risk = async (of: TestOrganization, title: string) => {
  await one.call(of.admin, 'createRisk', { title })
}
const risks = (of: TestOrganization, count: number) =>
  one.call(of.admin, 'createRiskBatch', {
    records: Array.from({ length: count }, (_, index) => ({ title: `Risk ${index}` })),
  })

/** So many entries in one transaction, and nothing else. */
const many = ({ admin }: TestOrganization, count: number) => {
  const event = {
    time: new Date().toISOString(),
    action: recordAction(kinds.risk, 'create'),
    subject: { type: 'risk', id: 'risk_x' },
  }
  return one.administrator.query(insertEntries(Array.from({ length: count }, () => entry(admin, event))))
}

const seals = async (organizationId: string) => {
  const { rows } = await one.administrator.query(
    'select seq::int, entry_id, hash from audit_seals where organization_id = $1 order by seq',
    [organizationId],
  )
  return rows as { seq: number; entry_id: string; hash: Buffer }[]
}
const entries = async (organizationId: string): Promise<string[]> => {
  const { rows } = await one.administrator.query(
    'select id from audit_entries where organization_id = $1 order by id',
    [organizationId],
  )
  return rows.map(({ id }) => id)
}

/** From an export, which writes an entry of its own and seals it. */
async function verdictOf(of: TestOrganization) {
  const verifier = new Verifier(NO_TRUST)
  let cursor: string | null = null
  do {
    const page: { lines: string[]; nextCursor: string | null } = (
      await one.call(of.admin, 'exportAuditLog', { limit: 100, ...(cursor ? { cursor } : {}) })
    ).body
    for (const line of page.lines) verifier.take(line)
    cursor = page.nextCursor
  } while (cursor !== null)
  return verifier.end()
}

async function expectWhole(of: TestOrganization) {
  const all = await seals(of.id)
  expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1))
  expect(all.map(({ entry_id }) => entry_id).sort()).toEqual(await entries(of.id))
  expect(await verdictOf(of)).toMatchObject({ problem: null, sealed: all.length + 1, unsealed: 0 })
}

test('what is committed is sealed, each organization in a chain of its own', async () => {
  const [acme, other] = [await one.organization(), await one.organization()]
  await risk(acme, 'One')
  await risk(other, 'Theirs')
  await risk(acme, 'Two')
  expect(await seal()).toBe(3)
  expect(await seal()).toBe(0)
  const listed = (await one.call(acme.admin, 'listAuditLog')).body as { data: { seal: object }[] }
  expect(listed.data.map((each) => each.seal)).toMatchObject([{ seq: 2 }, { seq: 1 }])
  await expectWhole(acme)
  await expectWhole(other)
})

test('more than fits into a batch is sealed in one go', async () => {
  const acme = await one.organization()
  await many(acme, 1_100)
  expect(await seal()).toBe(1_100)
  await expectWhole(acme)
})

test('an entry that is committed late is sealed when it is seen, behind younger ones', async () => {
  const acme = await one.organization()
  const slow = await slowWriter(acme)
  await risk(acme, 'Younger')
  expect(await seal()).toBe(1)
  await slow.commit()
  await risk(acme, 'Youngest')
  expect(await seal()).toBe(2)
  const [first, second] = await seals(acme.id)
  expect(second!.entry_id < first!.entry_id).toBe(true)
  await expectWhole(acme)
})

/** A transaction that has written its entry and is not committed yet. */
async function slowWriter({ id, admin }: TestOrganization) {
  const client = new pg.Client({ connectionString: one.database.url })
  await client.connect()
  await client.query('begin; set local role plumbline_tenant')
  await client.query("select set_config('plumbline.organization', $1, true)", [id])
  const { rows } = await client.query('select clock_now()::text as now')
  const time = new Date(rows[0].now).toISOString()
  await client.query(
    insertEntry(
      ...entry(admin, {
        time,
        action: recordAction(kinds.risk, 'create'),
        subject: { type: 'risk', id: 'risk_slow' },
      }),
    ),
  )
  return {
    commit: async () => {
      await client.query('commit')
      await client.end()
    },
  }
}

test('several sealers at once, with writers and exports beside them, make one chain', async () => {
  const all = [await one.organization(), await one.organization()]
  const write = async () => {
    for (let made = 0; made < 5; made++) for (const of of all) await risks(of, 20)
  }
  let writing = true
  const sealing = [1, 2, 3].map(async () => {
    while (writing) await seal()
  })
  await Promise.all([write(), write(), verdictOf(all[0]!), verdictOf(all[1]!)])
  writing = false
  await Promise.all(sealing)
  await seal()
  for (const of of all) await expectWhole(of)
})

test('a crowd of exports takes one connection, and keeps the sealer from nobody', async () => {
  const [acme, other] = [await one.organization(), await one.organization()]
  await risk(acme, 'Exported')
  await risk(other, 'Elsewhere')
  const holder = new pg.Client({ connectionString: one.database.administratorUrl })
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from audit_sealing for update')
  const crowd = Array.from({ length: 24 }, () => sealOrganization(engine(), acme.id))
  const waiting = async () =>
    Number(
      (
        await one.administrator.query(`
          select count(*) from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and query like '%audit_sealing%'`)
      ).rows[0].count,
    )
  await expect.poll(waiting).toBe(1)
  // Finds the lock taken, and after that waits for its turn as the exports do.
  const sealer = startSealer(one.service)
  await expect.poll(waiting).toBe(2)
  expect(engine().waitingCount).toBe(0)
  await holder.query('commit')
  await holder.end()
  await Promise.all(crowd)
  await expect.poll(async () => (await seals(other.id)).length).toBe(1)
  await sealer.stop()
  await expectWhole(acme)
  await expectWhole(other)
})

test('a sealer that dies between writing and committing leaves nothing, and the next goes on', async () => {
  const acme = await one.organization()
  await risk(acme, 'Before')
  await seal()
  await many(acme, 1_100)
  // The second batch is killed with its connection, as its process would be.
  await one.administrator.query(`
    create function killed() returns trigger language plpgsql as $$ begin
      if new.seq > 1001 then perform pg_terminate_backend(pg_backend_pid()); end if;
      return new; end $$;
    create trigger killed before insert on audit_seals for each row execute function killed()`)
  await expect(seal()).rejects.toThrow()
  await one.administrator.query('drop trigger killed on audit_seals; drop function killed()')
  expect((await seals(acme.id)).length).toBe(1_001)
  expect(await seal()).toBe(100)
  await expectWhole(acme)
})

test('after a restore into another cluster, where transactions count anew, everything is found', async () => {
  const acme = await one.organization()
  await risk(acme, 'Sealed before')
  await seal()
  await risk(acme, 'Dumped without its seal')
  // As a dump brings them: numbers far beyond those of this cluster, and rows that somebody else has written.
  await one.administrator.query(`
    update audit_entries set xact = (xact::text::bigint + 1000000000)::text::xid8;
    update audit_sealing set before = (before::text::bigint + 1000000000)::text::xid8`)
  await risk(acme, 'Written since')
  expect(await seal()).toBe(2)
  await risk(acme, 'And on it goes')
  expect(await seal()).toBe(1)
  await expectWhole(acme)
})

test('the role that seals can neither change nor delete, and no writer hides an entry from it', async () => {
  const acme = await one.organization()
  await risk(acme, 'One')
  await seal()
  for (const text of [
    "update audit_seals set hash = '\\x00'",
    'delete from audit_seals',
    'update audit_checkpoints set seq = 1',
    'delete from audit_checkpoints',
    'update audit_entries set reason = null',
    'delete from audit_signing_keys',
    'select ip from audit_entries',
  ])
    await expect(engine().query(text), text).rejects.toThrow('permission denied')
  const tenant = await one.service.database.tenant.connect()
  await tenant.query('begin; set local role plumbline_tenant')
  await tenant.query("select set_config('plumbline.organization', $1, true)", [acme.id])
  expect((await tenant.query('select distinct organization_id as id from audit_seals')).rows).toEqual([
    { id: acme.id },
  ])
  await tenant.query('savepoint here')
  for (const text of [
    `insert into audit_seals select organization_id, seq + 1, 'aud_x', prev_hash, hash, sealed_at from audit_seals`,
    'select * from audit_signing_keys',
    `insert into audit_entries (organization_id, id, time, actor, channel, action, outcome, subject_type, subject_id, hash, xact)
     values ('${acme.id}', 'aud_hidden', now(), '{}', 'ui', 'x', 'success', 'x', 'x', '\\x00', '3')`,
  ]) {
    await expect(tenant.query(text), text).rejects.toThrow(/permission denied|row-level security/)
    await tenant.query('rollback to here')
  }
  await tenant.query('rollback')
  tenant.release()
})

test('an hour after the last, a head that has moved is signed, in the table and in the file', async () => {
  const [acme, idle] = [await one.organization(), await one.organization()]
  await risk(acme, 'One')
  await risk(idle, 'One')
  await seal()
  const written = async (id: string) =>
    (
      await one.administrator.query(
        'select seq::int from audit_checkpoints where organization_id = $1 order by seq',
        [id],
      )
    ).rows.map(({ seq }) => seq)
  await writeDueCheckpoints(one.service)
  await risk(acme, 'Two')
  await seal()
  await writeDueCheckpoints(one.service)
  expect(await written(acme.id)).toEqual([1])
  await one.moveClock(3_600_000)
  await writeDueCheckpoints(one.service)
  expect([await written(acme.id), await written(idle.id)]).toEqual([[1, 2], [1]])
  const { checkpoints, torn } = readCheckpoints(readFileSync(one.service.config.auditCheckpointsFile, 'utf8'))
  expect(torn).toEqual([])
  const inFile = checkpoints.filter(({ organizationId }) => organizationId === acme.id)
  expect(inFile.map(({ seq, hash }) => [seq, hash])).toEqual(
    (await seals(acme.id)).map(({ seq, hash }) => [seq, hash.toString('hex')]),
  )
})

test('a file that cannot be written is said, and the checkpoint stands in the table', async () => {
  const acme = await one.organization()
  await risk(acme, 'One')
  await seal()
  const said: unknown[] = []
  const { service } = one
  const config = { ...service.config, auditCheckpointsFile: '/dev/null/checkpoints' }
  const log = { error: (_: object, what: string) => said.push(what), info: () => {} } as never
  await writeDueCheckpoints({ ...service, config, log })
  expect(said).toContainEqual(expect.stringContaining('AUDIT_CHECKPOINTS_FILE'))
  const { rowCount } = await one.administrator.query(
    'select from audit_checkpoints where organization_id = $1',
    [acme.id],
  )
  expect(rowCount).toBe(1)
})

test('the first key is made once, and rests sealed; a new one signs, and the old one still verifies', async () => {
  await one.administrator.query('delete from audit_checkpoints; delete from audit_signing_keys')
  const first = await Promise.all([1, 2, 3].map(() => signingKey(one.service)))
  expect(new Set(first.map(({ id }) => id)).size).toBe(1)
  const acme = await one.organization()
  await risk(acme, 'One')
  expect(await verdictOf(acme)).toMatchObject({ ok: true, signedBy: first[0]!.id })
  const second = await rotateSigningKey(one.service)
  await risk(acme, 'Two')
  expect(await verdictOf(acme)).toMatchObject({ ok: true, signedBy: second.id })
  expect((await publicKeys(one.service)).map(({ id }) => id)).toEqual([second.id, first[0]!.id])
  const { rows } = await one.administrator.query(
    'select private_key_sealed as sealed from audit_signing_keys',
  )
  const pkcs8 = first[0]!.privateKey.export({ format: 'der', type: 'pkcs8' })
  for (const { sealed } of rows) expect(sealed.includes(pkcs8.subarray(-32))).toBe(false)
})

test('it runs by itself each second, and operators see how long the oldest entry waits', async () => {
  const acme = await one.organization()
  await seal()
  const waiting = async () => {
    const text = await openMetrics(one.service).registry.metrics()
    return Number(/^plumbline_audit_unsealed_oldest_seconds (\S+)$/m.exec(text)?.[1])
  }
  expect(await waiting()).toBe(0)
  await risk(acme, 'One')
  await one.moveClock(90_000)
  expect(await waiting()).toBeGreaterThanOrEqual(90)
  const sealer = startSealer(one.service)
  await expect.poll(waiting, { timeout: 30_000 }).toBe(0)
  await sealer.stop()
  expect((await seals(acme.id)).length).toBe(1)
})
