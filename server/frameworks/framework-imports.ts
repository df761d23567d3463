import { createHash } from 'node:crypto'
import { z } from 'zod'
import { text } from '../../model/fields.ts'
import { kinds } from '../../model/kinds/index.ts'
import { incomingBytes } from '../bytes.ts'
import { startJob } from '../jobs/start-job.ts'
import { operation, type TransactionContext } from '../operation.ts'
import { invalid, Refusal } from '../refusal.ts'
import { applyFrameworkImport as applyJob } from './apply-import.ts'
import {
  catalogOf,
  type FrameworkImport,
  findImport,
  forgetOldFiles,
  frameworkImport,
  type ImportOptions,
  id,
  insertImport,
  keepPlan,
  NEEDS,
  PATH,
  readParts,
  shownImport,
  underWay,
} from './framework-import.ts'
import { frameworkLibrary, type LibraryName } from './framework-library.ts'
import { keepRequirements } from './kept-catalog.ts'
import { type ImportPlan, planOf } from './plan-import.ts'
import {
  COLUMN_NAMES,
  type FoundTable,
  LIMITS,
  type LibraryReading,
  readCatalog,
  readCatalogTable,
  TABLE_BYTES,
} from './read-catalog.ts'

/* Frameworks come in: begun, sent as a file where they are none of the library, planned at once, and carried out. */

const LIBRARY_NAMES = Object.keys(frameworkLibrary) as [LibraryName, ...LibraryName[]]
const { key, edition, name, shortName, publisher, description, locale, jurisdiction, category, license } =
  kinds.framework.fields

export const startFrameworkImport = operation({
  name: 'startFrameworkImport',
  method: 'POST',
  path: PATH,
  needs: NEEDS,
  writes: true,
  title: 'Begin an import of a framework',
  description:
    'Of one of the library, which is planned at once; or of a file, which is sent behind it by sendFrameworkFile. Nothing is added before applyFrameworkImport.',
  input: z.strictObject({
    library: z
      .enum(LIBRARY_NAMES)
      .optional()
      .meta({ title: 'Of the library' })
      .describe('As listFrameworkLibrary calls it'),
    fileName: text('File', 200).optional().describe('The name of a file, with what it ends in'),
    framework: z
      .strictObject({
        key: key.optional(),
        edition: edition.optional(),
        name: name.optional(),
        shortName: shortName.optional(),
        publisher: publisher.optional(),
        description: description.optional(),
        locale: locale.optional(),
        jurisdiction: jurisdiction.optional(),
        category: category.optional(),
        license: license.optional(),
      })
      .optional()
      .meta({ title: 'Framework' })
      .describe(
        'Of a file: what stands in place of what it says. A table says none of it: key, edition and name are needed',
      ),
    hierarchy: z
      .enum(['parent', 'depth', 'dotted'])
      .optional()
      .meta({ title: 'Hierarchy' })
      .describe(
        'Of a table, what tells which requirement stands beneath which: a column of parents, one of depths, or keys that begin with those of their parents; by the columns, where it is left out',
      ),
    document: text('Document', 500)
      .optional()
      .describe(
        'Of an archive of OSCAL documents, the name of the one that is imported; the one that no other imports, where it is left out',
      ),
    sheet: text('Sheet', 100)
      .optional()
      .describe('Of a workbook; the first that names columns of requirements, where it is left out'),
    headRow: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .meta({ title: 'Row of the column names' })
      .describe('Of a table; found among the rows at the top, where it is left out'),
    columns: z
      .array(z.enum(COLUMN_NAMES).nullable())
      .max(200)
      .optional()
      .meta({ title: 'Columns' })
      .describe(
        'Of a table: the field that each column holds, in the order of the columns; null leaves a column out. By the column names, where it is left out; the plan lists what each column was taken for',
      ),
  }),
  example: { library: 'iso_27001_2022' },
  output: frameworkImport,
  location: ({ id }) => `${PATH}/${id}`,
  run: async (context, { library, fileName, ...options }) => {
    if ((library === undefined) === (fileName === undefined))
      throw invalid({ path: 'library', message: 'name one of the library, or a file by fileName' })
    if (library !== undefined && Object.keys(options).length > 0)
      throw invalid({ path: Object.keys(options)[0]!, message: 'is for files: leave it out' })
    if (library === undefined) {
      const id = await insertImport(context, { fileName: fileName!, options: options as ImportOptions })
      return shownImport(context, await findImport(context, id))
    }
    const id = await insertImport(context, { library })
    const catalog = frameworkLibrary[library]
    const hash = createHash('sha256').update(JSON.stringify(catalog)).digest('hex')
    const plan = await planOf(context.tx, { catalog, notes: [] })
    context.tx.write(keepPlan(context.tx.organizationId, id, JSON.stringify(plan), hash, null, null))
    return shownImport(context, await findImport(context, id))
  },
})

export const sendFrameworkFile = operation({
  name: 'sendFrameworkFile',
  method: 'PUT',
  path: `${PATH}/{id}/file`,
  needs: NEEDS,
  writes: 'own',
  title: 'Send the file of a framework',
  description:
    'An OSCAL catalog as JSON, YAML or XML, an OSCAL profile with its catalogs in a ZIP archive, a library of CISO Assistant in YAML (a framework, mappings between two frameworks, or a risk matrix), or a table as CSV or XLSX. Says what it would come to, with every fault and its place; nothing is added yet. Sent once more, it takes the place of what was read before.',
  takes: {
    types: [
      'application/json',
      'application/yaml',
      'text/yaml',
      'application/x-yaml',
      'application/xml',
      'text/xml',
      'application/zip',
      'application/x-zip-compressed',
      'text/csv',
      'text/tab-separated-values',
      'text/plain',
      'application/vnd.ms-excel',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/octet-stream',
    ],
    bytes: LIMITS.bytes,
  },
  bodyIs: 'content',
  input: z.strictObject({ id, content: incomingBytes }),
  output: frameworkImport,
  refusals: ['conflict'],
  annotations: { idempotent: true },
  run: async (context, { id, content }) => {
    const { fileName, options } = await context.transaction(async (within) => {
      const found = await findImport(within, id)
      refuseUnderWay(found)
      return found
    })
    if (fileName === null)
      throw new Refusal(
        'conflict',
        'It is of the library, and has its plan: carry it out by applyFrameworkImport.',
      )
    const bytes = await content.whole(LIMITS.bytes)
    const reading = await readAny(context.caller.organizationId, bytes, fileName, options)
    const hash = createHash('sha256').update(bytes).digest('hex')
    return context.transaction(async (within) => {
      const { tx } = within
      refuseUnderWay(await findImport(within, id, true))
      const plan = { ...(await planOf(tx, reading)), table: reading.table ?? null }
      const { requirements = [], ...about } = 'catalog' in reading ? reading.catalog : {}
      keepRequirements(tx, id, requirements)
      const kept = 'catalog' in reading ? JSON.stringify(about) : null
      const parts = 'parts' in reading && reading.parts ? JSON.stringify(reading.parts) : null
      tx.write(keepPlan(tx.organizationId, id, JSON.stringify(plan), hash, kept, parts))
      forgetOldFiles(tx)
      return shownImport(within, await findImport(within, id))
    })
  },
})

const ZIP = Buffer.from('PK\u0003\u0004')
/** Every workbook has this file, and no other archive that is imported. */
const WORKBOOK = Buffer.from('[Content_Types].xml')

async function readAny(
  organizationId: string,
  bytes: Buffer,
  fileName: string,
  { framework = {}, document, ...table }: ImportOptions,
): Promise<LibraryReading & { readonly table?: FoundTable }> {
  const isWorkbook = bytes.subarray(0, 4).equals(ZIP) && bytes.includes(WORKBOOK)
  if (!isWorkbook && !/\.(csv|tsv|tab|xlsx)$/i.test(fileName)) {
    const reading = await readCatalog(organizationId, bytes, document)
    return 'catalog' in reading ? { ...reading, catalog: { ...reading.catalog, ...framework } } : reading
  }
  const { key, edition, name } = framework
  if (key === undefined || edition === undefined || name === undefined)
    throw new Refusal(
      'conflict',
      'A table does not say which framework it is: begin an import whose framework has a key, an edition and a name.',
    )
  if (bytes.length > TABLE_BYTES)
    throw invalid({
      path: 'content',
      message: `has more than ${TABLE_BYTES / 1024 / 1024} MB, and a table may not: leave out what is no requirement`,
    })
  return readCatalogTable(organizationId, bytes, { ...framework, key, edition, name }, table)
}

export const getFrameworkImport = operation({
  name: 'getFrameworkImport',
  method: 'GET',
  path: `${PATH}/{id}`,
  needs: NEEDS,
  writes: false,
  title: 'Read an import of a framework',
  description: 'What it would come to, or what it came to, and how far it is.',
  input: z.strictObject({ id }),
  output: frameworkImport,
  run: async (context, input) => shownImport(context, await findImport(context, input.id)),
})

export const applyFrameworkImport = operation({
  name: 'applyFrameworkImport',
  method: 'POST',
  path: `${PATH}/{id}/apply`,
  needs: NEEDS,
  writes: true,
  title: 'Carry out an import of a framework',
  description:
    'A job adds the framework with all its requirements, or nothing; then the mappings of the file, and its risk matrix becomes that of the organization. What is here already as the file has it stays untouched. Where it differs the import is refused, unless it is taken as a correction: then texts become those of the file, and every answer stays.',
  input: z.strictObject({
    id,
    asCorrection: z
      .boolean()
      .default(false)
      .meta({ title: 'As a correction' })
      .describe('true: the edition that is here becomes what the file says; its answers stay as they are'),
  }),
  output: frameworkImport,
  refusals: ['conflict'],
  run: async (context, { id, asCorrection }) => {
    const found = await findImport(context, id, true)
    refuseUnderWay(found)
    await refuseUnlessGood(context, found, asCorrection)
    const job = await startJob(context, applyJob, { id, asCorrection })
    context.tx.write(underWay(context.tx.organizationId, id, job))
    return shownImport(context, await findImport(context, id))
  },
})

/** @throws {Refusal} `conflict` for what would be refused by now, so that nobody waits for a job to hear it */
async function refuseUnlessGood(
  context: TransactionContext,
  found: FrameworkImport,
  asCorrection: boolean,
): Promise<void> {
  if (found.stage === 'begun')
    throw new Refusal('conflict', 'It has no file yet: send one by sendFrameworkFile.')
  const [catalog, parts] = await Promise.all([catalogOf(context, found), readParts(context, found.id)])
  const reading = catalog ? { catalog, ...(parts && { parts }), notes: [] } : parts && { parts, notes: [] }
  const plan = reading && (await planOf(context.tx, reading))
  const [fault] = plan?.faults ?? []
  if (!plan || plan.outcome === 'refused')
    throw new Refusal(
      'conflict',
      found.plan?.outcome === 'refused' || !fault
        ? 'Its file has faults, which its plan tells: mend it, and send it again.'
        : `It cannot be carried out any more. ${fault.message}`,
    )
  if (plan.outcome === 'different' && !asCorrection) throw differing(plan)
}

const differing = ({ added, removed, changed, moved, frameworkFields: fields }: ImportPlan): Refusal =>
  new Refusal(
    'conflict',
    `This edition is here and differs: ${added} added, ${removed} removed, ${changed} changed, ${moved} moved, as the plan tells by key${fields.length > 0 ? `; and of the framework itself ${fields.join(', ')}` : ''}. Take it as a correction (asCorrection), or give it an edition of its own.`,
  )

function refuseUnderWay({ stage, hasStopped }: FrameworkImport): void {
  if (stage === 'applied') throw new Refusal('conflict', 'It was carried out already: begin another.')
  if (stage === 'applying' && !hasStopped)
    throw new Refusal('conflict', 'It is being carried out: wait for its job, or begin another.')
}
