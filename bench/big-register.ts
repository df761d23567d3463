import { risk } from '../model/kinds/risk.ts'
import { cellOf, DEFAULT_MATRIX } from '../model/risk-matrix.ts'
import { IMPACTS, LIKELIHOODS } from '../model/scales.ts'
import { newId } from '../server/database/ids.ts'
import { beginSession } from '../server/identity/sessions.ts'
import { alongside } from '../server/records/alongside.ts'
import type { Service } from '../server/service.ts'
import { makeOrganization, type Organization } from './seed.ts'
import type { Stand, StandDatabase } from './stand.ts'

const USERS = 20
const PEOPLE = 200

/** Words that titles are made of; the last one stands in one title of a thousand. */
const WORDS = {
  what: ['Unpatched', 'Unwatched', 'Shared', 'Forgotten', 'Untested', 'Single', 'Outdated', 'Open', 'Late'],
  which: ['gateway', 'backup', 'account', 'supplier', 'archive', 'laptop', 'registry', 'contract'],
  rare: 'submarine',
} as const

export const RARE_WORD = WORDS.rare

/** An organization whose register of risks has been filled for years. */
export interface BigRegister extends Organization {
  readonly database: StandDatabase
  /** The one that owns the most risks. */
  readonly personnelId: string
}

/**
 * Fills a register: every status, category, level, owner and date, none of them in the order of the others.
 * @param risks how many
 */
export async function makeRegister(stand: Stand, risks: number): Promise<BigRegister> {
  const database = await stand.database()
  const { administrator } = database
  const organization = await makeOrganization(administrator, stand.masterKey)
  const personnelId = personAt(1)
  await administrator.query(
    `with made as (
       insert into users (id, email, created_at)
       select 'usr_' || $1 || n, 'user' || n || '@' || $1 || '.example.com', now() from generate_series(1, $2::int) n
       returning id)
     insert into members (organization_id, user_id, account_id, name, role, created_at, updated_at)
     select $1, id, id, 'Colleague ' || right(id, 2), 'editor', now(), now() from made`,
    [organization.id, USERS],
  )
  await administrator.query(
    `insert into personnel (organization_id, id, reference_number, full_name, work_email, employment_type, status,
       in_scope, source, version, created_at, created_by, updated_at, updated_by)
     select $1, 'per_' || lpad(n::text, 26, '0'), n, 'Person ' || n, 'person' || n || '@example.com', 'employee',
       'active', true, 'person', 1, now(), '{}', now(), '{}' from generate_series(1, $2::int) n`,
    [organization.id, PEOPLE],
  )
  await administrator.query(FILL, [
    organization.id,
    organization.userId,
    risks,
    JSON.stringify(RATINGS),
    WORDS.what,
    WORDS.which,
    WORDS.rare,
    USERS,
    PEOPLE,
  ])
  await administrator.query(
    "insert into reference_counters (organization_id, kind, last_number) values ($1, 'risk', $2)",
    [organization.id, risks],
  )
  await administrator.query('vacuum analyze')
  return { ...organization, database, personnelId }
}

const personAt = (number: number) => `per_${String(number).padStart(26, '0')}`

/** What the cookie of a new session of the organization's admin holds. */
export function signIn(parts: Service, { id, accountId }: Organization): Promise<string> {
  const requestContext = { channel: 'ui', requestId: newId('req'), ip: '127.0.0.1' } as const
  return beginSession(parts, requestContext, { accountId, organizationId: id, method: 'password' })
}

/** Each pair of a likelihood and an impact, and one that was not rated, with what follows from them. */
const RATINGS = [null, ...LIKELIHOODS].flatMap((likelihood) =>
  (likelihood ? IMPACTS : [null]).map((impact) => {
    const { score = null, level = null } = cellOf(DEFAULT_MATRIX.cells, likelihood, impact) ?? {}
    return { likelihood, impact, score, level }
  }),
)

/*
 * Ids and times of creation go up together, as they do in life. Everything else is drawn from a hash of the
 * number, so that each run has the same register.
 */
const BESIDES = alongside(risk)
const FILL = `
  with written as (
  insert into risks (organization_id, id, reference_number, title, description, status, category, likelihood, impact,
    risk_score, risk_level, residual_likelihood, residual_impact, residual_score, residual_level,
    owner_user_id, owner_personnel_id, due_date, treatment_strategy, labels, source, version,
    created_at, created_by, updated_at, updated_by)
  select $1, 'risk_' || lpad(n::text, 26, '0'), n,
    ($5::text[])[1 + h % 9] || ' ' || case when n % 1000 = 7 then $7 else ($6::text[])[1 + h / 9 % 8] end || ' ' || n,
    repeat('What could happen, to whom, and what stands against it. ', 4),
    (array['identified', 'assessed', 'in_treatment', 'monitored', 'closed'])[1 + h / 72 % 5],
    (array['technical', 'operational', 'strategic', 'financial', 'compliance', 'legal', 'third_party', 'people',
      'physical', 'privacy'])[1 + h / 360 % 10],
    now_rated ->> 'likelihood', now_rated ->> 'impact', (now_rated ->> 'score')::int, now_rated ->> 'level',
    left_rated ->> 'likelihood', left_rated ->> 'impact', (left_rated ->> 'score')::int, left_rated ->> 'level',
    case when h % 20 < 9 then case when h % 3 = 0 then $2 else 'usr_' || $1 || 1 + h / 20 % $8::int end end,
    case when h % 20 between 9 and 16
      then 'per_' || lpad((1 + case when h % 5 = 0 then 0 else h / 20 % $9::int end)::text, 26, '0') end,
    case when h % 10 < 7 then now() + (h / 10 % 400 - 90) * interval '1 day' end,
    'mitigate', '{core,annex}', 'person', 1,
    made, actor, made + h % 1000 * interval '1 minute', actor
  from generate_series(1, $3::int) n,
    lateral (select ('x' || left(md5(n::text), 7))::bit(28)::int as h) hashed,
    lateral (select $4::jsonb -> h % jsonb_array_length($4::jsonb) as now_rated,
      $4::jsonb -> h / 26 % jsonb_array_length($4::jsonb) as left_rated,
      now() - ($3::int - n) * interval '1 minute' as made,
      jsonb_build_object('type', 'user', 'id', $2::text, 'displayName', 'Ada Example') as actor) one
  ${BESIDES.returning}), ${BESIDES.insert.join(', ')} select count(*) from written`
