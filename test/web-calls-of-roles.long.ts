import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyKind } from '../model/kinds/index.ts'
import { PAGES } from '../model/pages.ts'
import type { Caller } from '../server/caller/caller.ts'
import { eachOf } from './support/browser/each-of.ts'
import { type Site, startSite } from './support/browser.ts'
import { makeUnder } from './support/makers.ts'
import type { TestOrganization } from './support/service.ts'

/*
 * Promise: no page makes a call that the role of its reader may not make. Each such call is refused, and the audit log
 * has the refusal under the name of somebody who only opened a page.
 */

let site: Site
let acme: TestOrganization
const paths: string[] = []

beforeAll(async () => {
  site = await startSite()
  acme = await site.organization({ supplierRiskManagement: true })
  const ids = new Map<string, string>()
  for (const kind of everyKind)
    ids.set(kind.page, await makeUnder(site, acme.admin, `/v1/${kind.page}`).catch(() => ''))
  const framework = ids.get('frameworks') || 'fwk_1'
  paths.push(
    ...Object.values(PAGES)
      .filter((path) => !/guest|consent|invitation|reset|set-up|sign-in$|to-read/.test(path))
      .map((path) =>
        path
          .replace('/frameworks/$id', `/frameworks/${framework}`)
          .replace('$register', 'risks')
          .replace('$id', 'whe_1')
          .replace(/\$$/, 'elsewhere'),
      ),
    ...everyKind.flatMap(({ page }) => [`/${page}`, ...(ids.get(page) ? [`/${page}/${ids.get(page)}`] : [])]),
  )
}, 300_000)
afterAll(() => site?.close())

const limited = async (limits: object): Promise<Caller> => {
  const caller = await acme.person('viewer')
  await site.call(acme.admin, 'updateUser', { id: caller.userId, ...limits })
  return { ...caller, limitedView: 'isAuditor' in limits ? 'auditor' : 'self_service' }
}

test.each([
  ['admin', () => Promise.resolve(acme.admin)],
  ['editor', () => acme.person('editor')],
  ['viewer', () => acme.person('viewer')],
  ['auditor', () => limited({ isAuditor: true })],
  ['self-service user', () => limited({ selfServiceOnly: true })],
] as const)(
  'for the role of %s',
  async (_role, person) => {
    const as = await person()
    const refused = new Set<string>()
    let here = '/'
    const open = async () => {
      const page = await site.open('/', { as, expected: [/40[34]/] })
      page.on('response', (response) => {
        if (response.status() === 403)
          refused.add(`${new URL(page.url()).pathname}: ${new URL(response.url()).pathname}`)
      })
      return page
    }
    await eachOf(paths, open, async (page, path) => {
      here = path
      await page.visit(path)
      await page.waitForLoadState('networkidle')
      await page
        .getByRole('heading', { level: 1 })
        .first()
        .waitFor({ timeout: 10_000 })
        .catch(() => {
          throw new Error(`no heading on ${here}`)
        })
      await page.waitForLoadState('networkidle')
    })
    expect([...refused].sort()).toEqual([])
    const { rows } = await site.administrator.query(
      "select action, changes from audit_entries where organization_id = $1 and outcome = 'denied'",
      [acme.id],
    )
    expect(rows).toEqual([])
  },
  600_000,
)
