import { expect, test } from 'vitest'
import {
  answerable,
  type Branch,
  branchesOf,
  filtered,
  type Requirement,
} from '../web/pages/frameworks/requirement-tree.ts'

// Rows of a list become the tree of a framework: in its order, counted by branch, and cut to what is looked for.

const row = (key: string, parentId: string | null, more: Partial<Requirement> = {}) =>
  ({
    ...{ id: key, key, title: `What ${key} asks`, parentId, sortOrder: null, assessable: true },
    ...{ inScope: true, result: 'not_assessed' },
    ...more,
  }) as Requirement

const ROWS = [
  row('B', null, { assessable: false, inScope: false, title: 'Backups' }),
  row('A', null, { assessable: false, inScope: false }),
  row('A.10', 'A', { result: 'compliant' }),
  row('A.2', 'A', { result: 'not_applicable', inScope: false }),
  row('A.2(1)', 'A.2'),
  row('B.2', 'B', { sortOrder: 1, inScope: false }),
  row('B.1', 'B', { sortOrder: 2, result: 'compliant' }),
  row('C.1', 'elsewhere'),
]

const keysOf = (branches: readonly Branch[]): unknown[] =>
  branches.flatMap(({ requirement: { key }, below }) => (below.length > 0 ? [key, keysOf(below)] : [key]))

const ALL = { results: [], q: '', inScopeOnly: false }

test('rows stand below their parents, as their framework has them or else by their keys', () => {
  expect(keysOf(branchesOf(ROWS))).toEqual(['A', ['A.2', ['A.2(1)'], 'A.10'], 'B', ['B.2', 'B.1'], 'C.1'])
  expect(answerable(branchesOf(ROWS))).toBe(6)
})

test('a branch counts what is in scope, as the progress of its framework does', () => {
  const [a, b] = branchesOf(ROWS)
  expect(Object.fromEntries(a!.results)).toEqual({ compliant: 1, not_assessed: 1 })
  expect(Object.fromEntries(b!.results)).toEqual({ compliant: 1 })
})

test.each([
  [{}, ['A', ['A.2', ['A.2(1)'], 'A.10'], 'B', ['B.2', 'B.1'], 'C.1']],
  [{ results: ['compliant'] }, ['A', ['A.10'], 'B', ['B.1']]],
  [{ inScopeOnly: true }, ['A', ['A.2', ['A.2(1)'], 'A.10'], 'B', ['B.1'], 'C.1']],
  [{ q: 'a.10 ASKS' }, ['A', ['A.10']]],
  [{ q: 'backups' }, ['B', ['B.2', 'B.1']]],
  [{ q: 'backups', inScopeOnly: true }, ['B', ['B.1']]],
  [{ q: 'tapes' }, []],
])('cut by %j', (filter, keys) => {
  expect(keysOf(filtered(branchesOf(ROWS), { ...ALL, ...filter }))).toEqual(keys)
})
