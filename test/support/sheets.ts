import { IncomingBytes } from '../../server/bytes.ts'
import type { Caller } from '../../server/caller/caller.ts'
import { startTestService, type TestOrganization, type TestService } from './service.ts'
import { until } from './until.ts'

/** A change of many records, as far as tests look at it. */
export interface TestBulkChange {
  readonly id: string
  readonly stage: string
  readonly rowCount: number
  readonly leftOut: {
    readonly count: number
    readonly rows: readonly { number: number; text: string; isTotal: boolean }[]
  }
  readonly identity: string
  readonly notes: readonly { code: string; field: string | null; titles: readonly string[] }[]
  readonly dates: string | null
  readonly datesFrom: string | null
  readonly people: Readonly<Record<string, string>>
  readonly file: {
    readonly sheet: string | null
    readonly headRow: number | null
    readonly top: readonly { row: number; text: string; isExample?: true }[]
  } | null
  readonly columns: readonly { title: string; key: string | null; samples: string[]; isSet: boolean }[]
  readonly fields: readonly { key: string; title: string; linkedFrom: object | null }[]
  readonly planned: Record<'create' | 'change' | 'delete' | 'leave' | 'error', number> | null
  readonly done: Record<'created' | 'changed' | 'deleted' | 'unchanged' | 'refused', number> | null
  readonly doneBefore: TestBulkChange['done']
  readonly left: number
  readonly undoState: 'running' | 'stopped' | 'done' | null
  readonly standing: number | null
  readonly job: { id: string; state: string; failure: string | null } | null
}

export interface TestBulkRow {
  readonly number: number
  readonly planned: string
  readonly done: string | null
  readonly record: { id: string; reference: string; title: string } | null
  readonly changes: readonly { field: string; before: string | null; after: string | null }[]
  readonly problems: readonly {
    column: number | null
    field: string | null
    value: string | null
    message: string
  }[]
}

/** What a change of many records comes to, put together. */
export interface TestSummary {
  readonly changes: readonly {
    field: string
    count: number
    kinds: number
    values: readonly { before: string | null; after: string | null; count: number }[]
  }[]
  readonly problems: readonly {
    column: number | null
    field: string | null
    message: string
    isAlike: boolean
    count: number
    rows: readonly number[]
    records: readonly string[]
    values: readonly { value: string; count: number }[]
    unknown: readonly { value: string; count: number; proposed: string | null }[]
  }[]
  readonly emptied: readonly { column: number; value: string; count: number }[]
  readonly namesakes: { field: string; title: string; isUnique: boolean; count: number } | null
  readonly translated: readonly {
    column: number
    field: string
    word: string
    choice: string
    title: string
    count: number
  }[]
}

export type Sheets = ReturnType<typeof sheetsOf>

/** A service with its jobs, one organization, and what its admin brings in. */
export async function startSheets(): Promise<{ one: TestService; acme: TestOrganization; sheets: Sheets }> {
  const one = await startTestService()
  await one.service.jobs.start()
  const acme = await one.organization()
  return { one, acme, sheets: sheetsOf(one, acme.admin) }
}

/** What somebody does with spreadsheets. The service has to work its jobs. */
export const sheetsOf = (one: TestService, caller: Caller) => {
  const ask = async <Body>(name: string, input: object): Promise<Body> =>
    (await one.call(caller, name, input)).body as Body

  const begin = async (type: string, given: Buffer | string, more: object = {}) => {
    const { id } = await ask<TestBulkChange>('startImport', { type, name: 'a file' })
    const bytes = Buffer.from(given)
    const content = new IncomingBytes('application/octet-stream', bytes.length, parts(bytes))
    return ask<TestBulkChange>('sendImportFile', { id, content, ...more })
  }
  const settled = (id: string, stage: string) =>
    until(async () => {
      const now = await ask<TestBulkChange>('getBulkChange', { id })
      if (now.job?.failure) throw new Error(now.job.failure)
      return now.stage === stage ? now : null
    })
  const plan = async (bulk: TestBulkChange, more: object = {}) => {
    const columns = bulk.columns.map(({ key }) => key)
    await ask('planImport', { id: bulk.id, columns, ...more })
    return settled(bulk.id, 'planned')
  }
  return {
    ask,
    begin,
    plan,
    planned: (id: string) => settled(id, 'planned'),
    /** Begins and plans, as the columns were recognised. */
    bring: async (type: string, content: Buffer | string, more: object = {}) =>
      plan(await begin(type, content), more),
    apply: async (id: string, rows: 'all' | 'good' = 'good', more: object = {}) => {
      await ask('applyBulkChange', { id, rows, ...more })
      return settled(id, 'applied')
    },
    rows: async (id: string, filter: object = {}) =>
      (await ask<{ data: TestBulkRow[] }>('listBulkChangeRows', { id, limit: 200, ...filter })).data,
  }
}

async function* parts(bytes: Buffer) {
  yield bytes
}
