import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { highBaseline, smallOscal } from './support/catalog-samples.ts'
import type { Door } from './support/door.ts'
import { frameworkImportsOf } from './support/framework-imports.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Promise: compliance-trestle reads what is exported, and finds there the control ids of the catalog that was imported.
 * TRESTLE_PYTHON is a Python with compliance-trestle, such as that of a virtual environment.
 */

const python = process.env.TRESTLE_PYTHON ?? 'python3'
const isThere = (() => {
  try {
    execFileSync(python, ['-c', 'import trestle'], { stdio: 'ignore' })
    return true
  } catch {
    console.log('Exports are not read by compliance-trestle: set TRESTLE_PYTHON to a Python that has it.')
    return false
  }
})()

let one: TestService
let acme: TestOrganization
let door: Door
beforeAll(async () => {
  one = await startTestService()
  await one.service.jobs.start()
  acme = await one.organization()
  door = await one.listen()
})
afterAll(() => one.close())

const READ = `
import json, sys
from trestle.oscal.component import ComponentDefinition
from trestle.oscal.assessment_results import AssessmentResults
from pathlib import Path
components = ComponentDefinition.oscal_read(Path(sys.argv[1]))
results = AssessmentResults.oscal_read(Path(sys.argv[2]))
implementation = components.components[0].control_implementations[0]
selection = results.results[0].reviewed_controls.control_selections[0]
print(json.dumps({
  'source': implementation.source,
  'resource': components.back_matter.resources[0].uuid,
  'components': [one.control_id for one in implementation.implemented_requirements],
  'results': [one.control_id for one in selection.include_controls],
}))
`

test.skipIf(!isThere).each([
  ['labels in capitals', () => highBaseline(), ['ac-1', 'ac-2', 'ac-2.1']],
  [
    'ids in capitals',
    () => {
      const file = smallOscal()
      for (const group of file.catalog.groups)
        for (const control of group.controls) control.id = control.id.toUpperCase().replace('-', '.5.')
      return Buffer.from(JSON.stringify(file))
    },
    ['DR.5.1', 'dr-1.1', 'DR.5.2'],
  ],
])('of a catalog with %s', async (_, bytes, expected) => {
  const imports = frameworkImportsOf(one, acme.admin)
  const { frameworkId: id } = await imports.bring('catalog.json', bytes())
  const ask = async (name: string, input: object) => (await one.call(acme.admin, name, input)).body as never
  const { id: control }: { id: string } = await ask('createControl', { code: `C-${id}`, title: 'Locks' })
  const { rows } = await one.administrator.query(
    'select id from requirements where framework_id = $1 and assessable order by sort_order limit 3',
    [id],
  )
  for (const { id: requirement } of rows)
    await ask('linkRequirement', { id: requirement, targetKind: 'control', targetId: control })
  const { secret } = await acme.key(['read:frameworks', 'read:controls', 'read:evidence'])
  const folder = mkdtempSync(join(tmpdir(), 'oscal-'))
  const paths = await Promise.all(
    ['component-definition', 'assessment-results'].map(async (name) => {
      const headers = { authorization: `Bearer ${secret}` }
      const answer = await fetch(`${door.base}/v1/frameworks/${id}/oscal/${name}`, { headers })
      const path = join(folder, `${name}.json`)
      writeFileSync(path, await answer.text())
      return path
    }),
  )
  const read = JSON.parse(execFileSync(python, ['-c', READ, ...paths], { encoding: 'utf8' }))
  const { uuid } = JSON.parse(bytes().toString()).catalog
  expect(read).toMatchObject({ source: `#${uuid}`, resource: uuid, components: expected })
  expect(read.results.slice(0, 3)).toEqual(expected)
})
