/** Promise: what a database cannot take just now is kept until it can, and no connection stays that is good for nothing. */
import { expect, test } from 'vitest'
import { connect } from '../server/database/connect.ts'
import { refusalOf } from '../server/database/errors.ts'
import { transaction } from '../server/database/transaction.ts'
import { openLog } from '../server/log.ts'
import { ResultsBuffer } from '../server/queue/results-buffer.ts'
import { freshDatabase } from './support/database.ts'

const failing = (code: string) => Object.assign(new Error('PostgreSQL says no'), { code })

test.each(['53100', '53200', '58030', '25006'])('no result is dropped for %s', async (code) => {
  const [written, refused, lines]: string[][] = [[], [], []]
  let failures = 4
  const buffer = new ResultsBuffer<string>({
    name: 'letters',
    log: openLog('error', { write: (line) => lines!.push(JSON.parse(line).msg) }),
    write: async (results) => {
      if (failures-- > 0) throw failing(code)
      written!.push(...results)
    },
    refused: (result) => refused!.push(result),
  })
  await Promise.all(['one', 'two'].map((result) => buffer.add(result, true)))
  expect([written, refused]).toEqual([['one', 'two'], []])
  expect(lines).toEqual([expect.stringMatching(/^results of letters cannot be written; trying on: \w+/)])
  expect(refusalOf(failing(code))).toMatchObject({ code: 'unavailable' })
})

test('a connection that turns out to lead to a standby is given up', async () => {
  const fresh = await freshDatabase()
  const database = connect(fresh.url, { tenant: 1 })
  const backends: number[] = []
  const inTransaction = (first: string) =>
    transaction(database.tenant, 'org_1', async (tx) => {
      const [row] = await tx.read<{ pid: number }>({ text: 'select pg_backend_pid() as pid', values: [] })
      backends.push(row!.pid)
      await tx.read({ text: first, values: [] })
    })
  try {
    await inTransaction('select 1')
    await expect(inTransaction('select no_such_column')).rejects.toThrow('no_such_column')
    // As every write on a standby is answered.
    const readOnly = "do $$ begin raise exception 'read-only' using errcode = '25006'; end $$"
    await expect(inTransaction(readOnly)).rejects.toThrow('read-only')
    await inTransaction('select 1')
    const [first, second, third, fourth] = backends
    expect([second, third]).toEqual([first, first])
    expect(fourth).not.toBe(first)
  } finally {
    await database.close()
    await fresh.drop()
  }
})

// An unhandled rejection would end the service; here it fails the run.
test('a read that nobody waits for is told of by its transaction alone', async () => {
  const fresh = await freshDatabase()
  const database = connect(fresh.url, { tenant: 1 })
  const bad = { text: 'select no_such_column', values: [] }
  try {
    const failing = transaction(database.tenant, 'org_1', async (tx) => {
      void tx.read(bad)
      void tx.readAsGate(bad)
      // In its turn behind them: by then both have failed.
      await tx.read({ text: 'select 1', values: [] }).catch(() => {})
    })
    await expect(failing).rejects.toThrow('no_such_column')
  } finally {
    await database.close()
    await fresh.drop()
  }
})
