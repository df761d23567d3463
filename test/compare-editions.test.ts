import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Comparable } from '../server/frameworks/compare-editions.ts'
import { compareEditions, isSameEdition } from '../server/frameworks/compare-editions.ts'

/* Two lists of requirements are told apart by key: nothing is lost, and nothing is told twice. */

const one = (key: string, more: Partial<Comparable> = {}): Comparable => ({
  ...{ key, kind: 'requirement', assessable: true, levels: [] },
  ...more,
})

test('tells what was added, removed, changed and moved', () => {
  const older = [
    one('A'),
    one('A.1', { parentKey: 'A', title: 'One' }),
    one('A.2', { parentKey: 'A' }),
    one('B'),
  ]
  const newer = [
    one('A'),
    one('A.1', { parentKey: 'A', title: 'Won', levels: ['x'] }),
    one('B'),
    one('A.2', { parentKey: 'B' }),
    one('C'),
  ]
  expect(compareEditions(older, newer)).toEqual({
    added: ['C'],
    removed: [],
    changed: [{ key: 'A.1', fields: ['title', 'levels'] }],
    moved: [{ key: 'A.2', from: 'A', to: 'B' }],
    unchanged: 2,
  })
})

test('of siblings in another order, those moved that were taken out of it', () => {
  const keys = ['1', '2', '3', '4', '5']
  const inOrder = (order: readonly string[]) => order.map((key) => one(key))
  const { moved, unchanged } = compareEditions(inOrder(keys), inOrder(['1', '3', '4', '5', '2']))
  expect(moved).toEqual([{ key: '2', from: null, to: null }])
  expect(unchanged).toBe(4)
})

test('what is not there is what is empty, and levels have no order', () => {
  const older = [one('1', { levels: ['a', 'b'], ...({ title: null } as object) })]
  expect(isSameEdition(compareEditions(older, [one('1', { levels: ['b', 'a'] })]))).toBe(true)
})

const edition = fc
  .uniqueArray(
    fc.record({
      key: fc.integer({ min: 0, max: 30 }).map(String),
      title: fc.constantFrom('a', 'b'),
      parentKey: fc.option(fc.integer({ min: 0, max: 3 }).map(String), { nil: undefined }),
    }),
    { selector: ({ key }) => key, maxLength: 30 },
  )
  .map((all) => all.map(({ key, title, parentKey }) => one(key, { title, ...(parentKey && { parentKey }) })))

test('every key is told once as what it is, forwards and backwards', () => {
  fc.assert(
    fc.property(edition, edition, (older, newer) => {
      const there = compareEditions(older, newer)
      const back = compareEditions(newer, older)
      expect(back.added.toSorted()).toEqual(there.removed.toSorted())
      expect(back.changed.map(({ key }) => key).toSorted()).toEqual(
        there.changed.map(({ key }) => key).toSorted(),
      )
      expect(back.moved).toHaveLength(there.moved.length)
      const touched = new Set([...there.changed, ...there.moved].map(({ key }) => key))
      expect(there.added.length + touched.size + there.unchanged).toBe(newer.length)
      expect(isSameEdition(compareEditions(older, older))).toBe(true)
    }),
  )
})
