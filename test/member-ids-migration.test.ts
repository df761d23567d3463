import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, expect, inject, test } from 'vitest'
import { newId } from '../server/database/ids.ts'
import { onDatabase } from './support/command-line.ts'
import { asAdministrator, withDatabase } from './support/postgres.ts'

/* A filled database gets ids of each organization for its people, and every row follows. */

const FOLDER = new URL('../server/database/migrations/', import.meta.url)
const FILE = '0019-members-of-their-own.sql'
const name = `plumbline_filled_${randomBytes(6).toString('hex')}`

afterAll(() =>
  asAdministrator(inject('administratorUrl'), (client) =>
    client.query(`drop database if exists ${name} with (force)`),
  ),
)

test('people of several organizations get an id in each, and what they own, made and hold follows', async () => {
  await asAdministrator(inject('administratorUrl'), (client) =>
    client.query(`create database ${name} owner plumbline`),
  )
  const url = withDatabase(inject('url'), name)
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  await owner.query('create table migrations (name text primary key, applied_at timestamptz not null)')
  const before = readdirSync(FOLDER).filter((file) => file.endsWith('.sql') && file < FILE)
  for (const file of before.toSorted()) {
    await owner.query(readFileSync(new URL(file, FOLDER), 'utf8'))
    await owner.query('insert into migrations values ($1, now())', [file])
  }
  await owner.end()

  const [person, alone, first, second] = [newId('usr'), newId('usr'), newId('org'), newId('org')]
  const rows = await asAdministrator(withDatabase(inject('administratorUrl'), name), async (client) => {
    const query = (text: string, ...values: unknown[]) => client.query(text, values)
    for (const [id, email] of [
      [person, 'Both@Example.com'],
      [alone, 'alone@example.com'],
    ])
      await query('insert into users (id, email, created_at) values ($1, $2, now())', id, email)
    for (const [at, id] of [first, second].entries()) {
      await query(
        `insert into organizations (id, name, created_at, updated_at) values ($1, 'O', now(), now())`,
        id,
      )
      await fill(query, id, person, at)
    }
    await query(
      `insert into members (organization_id, user_id, name, role, created_at, updated_at)
       values ($1, $2, 'Alone', 'viewer', now(), now())`,
      second,
      alone,
    )
    const hashes = await query('select id, hash, actor::text from audit_entries order by id')

    expect((await onDatabase(url)('migrate --json')).json).toMatchObject({
      applied: expect.arrayContaining([FILE]),
    })

    expect((await query('select id, hash, actor::text from audit_entries order by id')).rows).toEqual(
      hashes.rows,
    )
    expect((await query('select email from users where id = $1', person)).rows).toEqual([
      { email: 'both@example.com' },
    ])
    return (await query(EVERY_REFERENCE)).rows as { organization: string; account: string; ids: string[] }[]
  })
  const idsOf = (organization: string, account: string) =>
    rows.find((row) => row.organization === organization && row.account === account)!.ids
  expect(new Set(idsOf(first, person))).toEqual(new Set([person]))
  expect(new Set(idsOf(second, alone))).toEqual(new Set([alone]))
  expect(idsOf(second, person)).toHaveLength(12)
  const moved = [...new Set(idsOf(second, person))]
  expect(moved).toEqual([expect.stringMatching(/^usr_[0-7][0-9a-hjkmnp-tv-z]{25}$/)])
  expect(moved).not.toContain(person)
})

type Ask = (text: string, ...values: unknown[]) => Promise<pg.QueryResult>

/** An organization in which somebody owns, made and holds a bit of everything. */
async function fill(query: Ask, organization: string, user: string, at: number): Promise<void> {
  const actor = JSON.stringify({ type: 'user', id: user, displayName: 'Both' })
  await query(
    `insert into members (organization_id, user_id, name, role, created_at, updated_at)
     values ($1, $2, 'Both', 'admin', now() + $3 * interval '1 day', now())`,
    organization,
    user,
    at,
  )
  await query(
    `insert into personnel (organization_id, id, reference_number, full_name, work_email, employment_type, status,
       in_scope, user_id, source, version, created_at, created_by, updated_at, updated_by)
     values ($1, 'per_1', 1, 'Both', 'both@example.com', 'employee', 'active', true, $2, 'person', 1, now(), $3, now(), $3)`,
    organization,
    user,
    actor,
  )
  await query(
    `insert into risks (organization_id, id, reference_number, title, status, category, owner_user_id,
       treatment_strategy, source, version, created_at, created_by, updated_at, updated_by)
     values ($1, 'risk_1', 1, 'R', 'identified', 'technical', $2, 'undecided', 'person', 1, now(), $3, now(), $3)`,
    organization,
    user,
    actor,
  )
  await query(
    `insert into api_keys (organization_id, id, name, prefix, secret_hash, scopes, created_by, revoked_by, created_at)
     values ($1, 'key_1', 'K', 'comply_', $3, '{}', $2, $2, now())`,
    organization,
    user,
    randomBytes(32),
  )
  await query(
    `insert into connected_apps (organization_id, id, user_id, client_id, client_name, redirect_host, registration,
       scopes, created_at, approved_at, expires_at)
     values ($1, $3, $2, 'c', 'C', 'h', 'dynamic', '{}', now(), now(), now())`,
    organization,
    user,
    newId('app'),
  )
  await query(
    `insert into oauth_tokens (key_hash, kind, organization_id, app_id, user_id, client_id, scopes, payload,
       created_at, expires_at)
     select $2, 'AccessToken', $1, id, user_id, 'c', '{}', '{}', now(), now() from connected_apps
      where organization_id = $1`,
    organization,
    randomBytes(32),
  )
  await query(
    `insert into sessions (id, secret_hash, user_id, organization_id, method, authenticated_at, created_at,
       last_seen_at, expires_at)
     values ($1, $2, $3, $4, 'password', now(), now(), now(), now())`,
    newId('ses'),
    randomBytes(32),
    user,
    organization,
  )
  await query(
    `insert into idempotency_answers (organization_id, credential_id, key, operation, body_hash, status, body,
       location, created_at)
     values ($1, 'c', 'k', 'createUser', '', 201, $2, $3, now())`,
    organization,
    JSON.stringify({ id: user }),
    `/v1/users/${user}`,
  )
  await query(
    `insert into audit_entries (organization_id, id, time, actor, channel, action, outcome, subject_type, subject_id, hash)
     values ($1, $2, now(), $3, 'ui', 'risk.create', 'success', 'risk', 'risk_1', '\\x00')`,
    organization,
    newId('aud'),
    actor,
  )
}

/** What each row of an organization calls a person, beside the account it belongs to. */
const EVERY_REFERENCE = `
  select m.organization_id as organization, m.account_id as account,
         array_remove(array[m.user_id, p.user_id, p.created_by ->> 'id', r.owner_user_id, r.created_by ->> 'id',
           r.updated_by ->> 'id', k.created_by, k.revoked_by, a.user_id, t.user_id, i.body ->> 'id',
           split_part(i.location, '/', 4)], null) as ids
    from members m
    left join personnel p on p.organization_id = m.organization_id and p.user_id = m.user_id
    left join risks r on r.organization_id = m.organization_id and r.owner_user_id = m.user_id
    left join api_keys k on k.organization_id = m.organization_id and k.created_by = m.user_id
    left join connected_apps a on a.organization_id = m.organization_id and a.user_id = m.user_id
    left join oauth_tokens t on t.organization_id = m.organization_id and t.app_id = a.id
    left join idempotency_answers i on i.organization_id = m.organization_id and k.id is not null`
