import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendFile } from './support/files.ts'
import { ASKS_SALES, type Policies, startPolicies } from './support/policies.ts'
import { startTestService } from './support/service.ts'
import { until } from './support/until.ts'
import { zipOf } from './support/zip.ts'

/*
 * Promise: the bytes of a file that were changed in its store, past the service, are handed out to nobody, whole or in part, and
 * nothing is made of them.
 */

const FILES = join(tmpdir(), `plumbline-files-${randomUUID()}`)
let policies: Policies
beforeAll(async () => {
  policies = await startPolicies((environment) => startTestService({ ...environment, FILES }))
})
afterAll(async () => {
  await policies?.close()
  rmSync(FILES, { recursive: true, force: true })
})

/** More than is read at a time. */
const content = Buffer.from(`%PDF-1.7\n% ${'in force '.repeat(100_000)}\n`)

/** Changes a letter of a file where it is kept. */
function change(content: Buffer, at: number) {
  const kept = readdirSync(FILES, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .find((path) => readFileSync(path).equals(content))!
  const changed = Buffer.from(content)
  changed[at] = 'X'.charCodeAt(0)
  writeFileSync(kept, changed)
}

test('a file whose letter was changed is broken for whoever asks for all of it, or for some', async () => {
  const { as, author, member, drafted, published, bytesOf } = policies
  const { id } = await drafted(undefined, ASKS_SALES)
  const file = await sendFile(policies.one, author, 'Access control.pdf', content)
  await as(author, 'putPolicyVersionFile', { id, fileId: file.id })
  await published(id)
  const { data } = await as(member, 'listMyAttestations')
  const asked = { id: data[0]!.id }
  expect(await bytesOf(member, 'downloadMyAttestation', asked)).toEqual(content)
  for (const [from, to] of [
    [0, 99],
    [65_000, 200_000],
    [content.length - 7, content.length - 1],
  ] as const) {
    const { url } = await as(member, 'downloadMyAttestation', asked)
    const headers = { range: `bytes=${from}-${to}` }
    const answer = await fetch(`${policies.door.base}${new URL(url).pathname}`, { headers })
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(content.subarray(from, to + 1))
  }

  change(content, 20)
  for (const [caller, name, input] of [
    [member, 'downloadMyAttestation', asked],
    [author, 'downloadPolicyVersionFile', { id }],
  ] as const)
    for (const [range, status] of [
      [null, 200],
      ['bytes=0-', 206],
      [`bytes=-${content.length}`, 206],
      ['bytes=70000-200000', 206],
      // Nothing has left by then.
      ['bytes=0-99', 500],
    ] as const) {
      const { url } = await as(caller, name, input)
      const answer = await fetch(`${policies.door.base}${new URL(url).pathname}`, {
        headers: range ? { range } : {},
      })
      expect(answer.status).toBe(status)
      if (status === 500) expect(await answer.json()).toMatchObject({ code: 'internal' })
      else await expect(answer.arrayBuffer(), `${name} ${range}`).rejects.toThrow(/terminated/)
    }
})

test('an archive of which something was changed is not taken apart', async () => {
  const { as, author, one } = policies
  await one.service.jobs.start()
  const archive = zipOf([{ name: 'a.txt', content: Buffer.from('All accounts were reviewed.') }])
  const { id } = await sendFile(one, author, 'evidence.zip', archive)
  // Where nothing else would notice: the moment of the file within.
  change(archive, 10)
  const { id: job } = await as(author, 'takeArchiveApart', { id })
  const ended = await until(async () => {
    const now = (await as(author, 'getJob', { id: job })) as unknown as { state: string }
    return ['succeeded', 'failed'].includes(now.state) && now
  })
  expect(ended).toMatchObject({
    state: 'failed',
    failure: expect.stringContaining('not those that were sent'),
  })
  expect((await as(author, 'listEvidence')).data).toEqual([])
})
