import { setTimeout as sleep } from 'node:timers/promises'
import { resultsOf } from '../model/kinds/requirement-result.ts'
import { compare, interleave, median } from './figures.ts'
import { load, requestBytes } from './http.ts'
import { below, type Finding, type Row, ratioAtLeast, ratioAtMost } from './row.ts'
import { makeOrganization, type Organization } from './seed.ts'
import type { Stand, StandDatabase } from './stand.ts'

const REQUIREMENTS = 1_200
const CONTROLS = 2_000
const LINKS = 20_000
const FRAMEWORKS = 20
const MILLISECONDS = 2_000

export const coverage: Row = {
  name: 'coverage',
  title: `coverage: ${FRAMEWORKS} active frameworks, one of ${REQUIREMENTS} requirements, ${CONTROLS} controls, ${LINKS} links`,
  notes: [
    'Of the whole framework: the statement that says what follows for each requirement, mappings and proof by evidence',
    'included, against one that counts for each how many of its controls are in place and proven, and looks at no mapping.',
    'A change: from the answer of PATCH /v1/controls until every requirement that it moves has its result.',
  ],
  run: measure,
}

async function measure(stand: Stand): Promise<Finding[]> {
  const database = await stand.database()
  const organization = await makeOrganization(database.administrator, stand.masterKey)
  stand.say('coverage: filling')
  await fill(database, organization)
  const service = await stand.service(database)
  const { administrator } = database
  const timed = (sql: string) => async () => {
    const times: number[] = []
    for (let n = 0; n < 10; n += 1) {
      const began = performance.now()
      await administrator.query(sql, [organization.id])
      times.push(performance.now() - began)
    }
    return 1_000 / median(times)
  }
  const derive = timed(resultsOf('$1', `select id from requirements where framework_id = '${FIRST}'`))
  const count = timed(COUNT)
  await derive()
  await count()
  stand.say('coverage: what follows against what is counted')
  const rates = await interleave(stand.rounds, derive, count)

  const get = (path: string) => () =>
    load(service.port, [requestBytes('GET', `/v1/requirements/${ASKED}${path}`, organization.secret)], {
      milliseconds: MILLISECONDS,
      status: 200,
    })
  stand.say('coverage: one requirement and its reason')
  const reasons = await interleave(stand.rounds, get('/coverage'), get(''))

  stand.say('coverage: a control that changes')
  const seconds: number[] = []
  for (let round = 0; round < Math.max(3, stand.rounds); round += 1) {
    const implementationStatus = round % 2 === 0 ? 'in_progress' : 'implemented'
    const request = requestBytes('PATCH', `/v1/controls/${CONTROL}`, organization.secret, {
      implementationStatus,
      statusReason: 'As it is measured.',
    })
    await load(service.port, [request], { milliseconds: 1, status: 200 })
    const began = performance.now()
    while (await isUnsettled(database)) await sleep(5)
    seconds.push((performance.now() - began) / 1_000)
  }
  await service.stop()
  const reason = compare(reasons.products, reasons.yardsticks)
  return [
    {
      measure: 'coverage of the framework',
      unit: '/s',
      ...compare(rates.products, rates.yardsticks),
      yardstickIs: 'one counting statement',
      target: ratioAtLeast(0.5),
    },
    {
      measure: 'one reason, as long as so many GET',
      unit: '',
      product: 1 / reason.ratio,
      yardstick: 1,
      ratio: 1 / reason.ratio,
      yardstickIs: 'GET of the requirement',
      target: ratioAtMost(2),
    },
    {
      measure: 'a control changes until all is right',
      unit: 's',
      product: median(seconds),
      yardstick: 2,
      ratio: median(seconds) / 2,
      yardstickIs: 'two seconds',
      target: below(2),
    },
  ]
}

const id = (prefix: string, n: number) => `${prefix}_${String(n).padStart(26, '0')}`
const FIRST = id('fwk', 1)
const ASKED = id('req', 7)
const CONTROL = id('ctl', 1)

/** For each requirement how many of its controls are in place, and how many of these are proven. */
const COUNT = `
  select l.requirement_id, count(*), count(*) filter (where c.implementation_status = 'implemented'),
         count(*) filter (where c.implementation_status = 'implemented' and p.control_id is not null)
    from requirements q
    join control_requirements l on l.organization_id = q.organization_id and l.requirement_id = q.id
    join controls c on c.organization_id = l.organization_id and c.id = l.control_id
    left join (select distinct m.control_id from evidence_controls m
                 join evidence e on e.organization_id = m.organization_id and e.id = m.evidence_id
                where m.organization_id = $1 and m.coverage = 'full' and e.status = 'approved') p on p.control_id = c.id
   where q.organization_id = $1 and q.framework_id = '${FIRST}'
   group by l.requirement_id`

const isUnsettled = async ({ administrator }: StandDatabase): Promise<boolean> =>
  (await administrator.query('select exists (select from coverage_changes) as is')).rows[0].is

async function fill({ administrator }: StandDatabase, organization: Organization): Promise<void> {
  const every = `'person', 1, made, actor, made, actor from generate_series(1, $3::int) n,
     lateral (select now() - n * interval '1 minute' as made,
       jsonb_build_object('type', 'user', 'id', $2::text, 'displayName', 'Ada Example') as actor) one`
  const told = 'source, version, created_at, created_by, updated_at, updated_by'
  const insert = (sql: string, count: number) =>
    administrator.query(sql, [organization.id, organization.userId, count])
  await insert(
    `insert into frameworks (organization_id, id, reference_number, key, edition, name, category, status, kind, ${told})
     select $1, 'fwk_' || lpad(n::text, 26, '0'), n, 'f-' || n, '1', 'Framework ' || n, 'security', 'active', 'custom', ${every}`,
    FRAMEWORKS,
  )
  await insert(
    `insert into requirements (organization_id, id, framework_id, key, title, text, sort_order, assessable, kind, weight,
       importance, applicability, result, result_pinned, depth, unproven, ${told})
     select $1, 'req_' || lpad(n::text, 26, '0'), 'fwk_' || lpad(greatest(1, (n - ${REQUIREMENTS}) / 60 + 2 - (n <= ${REQUIREMENTS})::int * 100)::text, 26, '0'),
       'R.' || n, 'Requirement ' || n, repeat('What is asked. ', 20), n, true, 'requirement', 1, 'mandatory', 'applicable',
       'not_assessed', false, 0, false, ${every}`,
    REQUIREMENTS + 60 * (FRAMEWORKS - 1) - 1,
  )
  await insert(
    `insert into controls (organization_id, id, reference_number, code, title, implementation_status, priority,
       effectiveness, ${told})
     select $1, 'ctl_' || lpad(n::text, 26, '0'), n, 'C-' || n, 'Control ' || n,
       case when n % 3 > 0 then 'implemented' else 'in_progress' end, 'medium', 'not_assessed', ${every}`,
    CONTROLS,
  )
  await insert(
    `insert into evidence (organization_id, id, reference_number, title, kind, status, ${told})
     select $1, 'evd_' || lpad(n::text, 26, '0'), n, 'Evidence ' || n, 'document', 'approved', ${every}`,
    CONTROLS,
  )
  await administrator.query(
    `insert into evidence_controls (organization_id, evidence_id, control_id, coverage, linked_at, linked_by)
     select $1, 'evd_' || lpad(n::text, 26, '0'), 'ctl_' || lpad(n::text, 26, '0'), 'full', now(), '{}'
       from generate_series(1, ${CONTROLS}, 2) n`,
    [organization.id],
  )
  await administrator.query(
    `insert into control_requirements (organization_id, requirement_id, control_id, linked_at, linked_by)
     select $1, 'req_' || lpad((n % ${REQUIREMENTS} + 1)::text, 26, '0'),
            'ctl_' || lpad(((n / ${REQUIREMENTS} * 119 + n % ${REQUIREMENTS}) % ${CONTROLS} + 1)::text, 26, '0'), now(), '{}'
       from generate_series(0, ${LINKS - 1}) n on conflict do nothing`,
    [organization.id],
  )
  // The one that changes is linked everywhere, as the rule of a whole organization is.
  await administrator.query(
    `insert into control_requirements (organization_id, requirement_id, control_id, linked_at, linked_by)
     select $1, id, '${CONTROL}', now(), '{}' from requirements where sort_order % 10 = 0 on conflict do nothing`,
    [organization.id],
  )
  await administrator.query(
    `update controls set implementation_status = 'implemented' where id = '${CONTROL}'`,
  )
  await administrator.query(
    `insert into known_records (organization_id, id, kind, reference, called, texts)
     select organization_id, id, 'requirement', key, title, key from requirements
     union all select organization_id, id, 'control', 'CTL-' || reference_number, title, code from controls`,
  )
  await administrator.query('vacuum analyze')
}
