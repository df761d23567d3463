import { expect, test } from 'vitest'
import { inTurn } from '../server/limited-turns.ts'

/*
 * Promise: what somebody sends that takes long to read keeps no other organization from theirs, nor their own documents
 * from being written; whoever sends much is told to wait.
 */

/** Work that is under way until it is let go. */
function held(organization: string, what: 'reads' | 'writes' = 'reads') {
  const { promise, resolve: letGo } = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  let hasBegun = false
  const done = inTurn(organization, what, () => {
    hasBegun = true
    begun.resolve()
    return promise
  })
  const end = async () => {
    letGo()
    await done
  }
  return { begun: begun.promise, hasBegun: () => hasBegun, done, end }
}

const tick = () => new Promise((resolve) => setImmediate(resolve))

test('another organization goes at once beside one that has sent all it may', async () => {
  const slow = [held('acme'), held('acme'), held('acme')]
  await slow[0]!.begun
  const others = held('other')
  await others.begun
  await tick()
  expect(slow.map((one) => one.hasBegun())).toEqual([true, false, false])
  await expect(inTurn('acme', 'reads', async () => {})).rejects.toMatchObject({ code: 'unavailable' })
  await others.end()
  for (const one of slow) await one.end()
})

test('a document is written beside a file of the same organization that is read', async () => {
  const [file, document, another] = [held('acme'), held('acme', 'writes'), held('acme', 'writes')]
  await Promise.all([file.begun, document.begun])
  await tick()
  expect(another.hasBegun()).toBe(false)
  for (const one of [document, another, file]) await one.end()
})

test('the next is the one whose organization had its turn longest ago', async () => {
  const order: string[] = []
  const [acme, other, long] = [held('acme'), held('other'), held('long')]
  await Promise.all([acme.begun, other.begun, long.begun])
  const waiting = ['acme', 'acme', 'third', 'other', 'fourth'].map((name) =>
    inTurn(name, 'reads', async () => void order.push(name)),
  )
  await acme.end()
  await other.end()
  await Promise.all(waiting)
  await long.end()
  expect(order).toEqual(['third', 'fourth', 'acme', 'other', 'acme'])
})

test('what fails makes room for the next', async () => {
  await expect(inTurn('acme', 'reads', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await inTurn('acme', 'reads', async () => 'read')).toBe('read')
})

test('one organization that reads and writes all it may leaves a place for another', async () => {
  const own = [held('acme'), held('acme', 'writes'), held('acme')]
  await Promise.all([own[0]!.begun, own[1]!.begun])
  const other = held('other')
  await other.begun
  await tick()
  expect(own[2]!.hasBegun()).toBe(false)
  for (const one of [other, ...own]) await one.end()
})
