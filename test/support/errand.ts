import { z } from 'zod'
import { fact } from '../../model/fact.ts'
import { day, principal, refTo, scale, text, whole } from '../../model/fields.ts'
import { kind } from '../../model/kind.ts'
import { leastRole, person, scope, withFeature } from '../../model/needs.ts'
import { rules } from './errand-rules.ts'

/*
 * Two kinds under another one of the tests' own, with what else a kind can say: a path of two words, a key, facts, a
 * feature, a least role, fields that take another right than the rest.
 */

const FEATURE = 'supplierRiskManagement'

/** It goes with its undertaking. */
export const errand = kind({
  name: 'errand',
  plural: 'errands',
  noun: { one: 'errand', many: 'errands', article: 'an' },
  idPrefix: 'err',
  referencePrefix: 'ERR',
  path: 'ventures/errands',
  fields: {
    undertakingId: refTo('Undertaking', 'und'),
    chore: text('Chore'),
    mark: text('Mark', 150),
    run: scale('Run', ['ahead', 'running', 'run']),
    runner: principal('Runner'),
    judge: principal('Judge'),
    verdict: text('Verdict'),
    runBy: day('Run by'),
    fare: whole('Fare', 0, 1_000),
  },
  named: 'chore',
  owners: ['runner', 'judge'],
  deadlines: { run: { field: 'runBy', notices: [7, 0], while: ['running'], lapses: 'run' } },
  unique: { mark: ['mark'] },
  addressedBy: ['id', 'mark'],
  required: ['undertakingId', 'chore', 'mark'],
  defaults: { run: 'ahead' },
  derived: { zone: text('Zone'), budget: whole('Budget', 0, 1_000_000) },
  under: { kind: 'undertaking', field: 'undertakingId', path: 'errands', withParent: 'delete' },
  facts: {
    home: fact(
      'select timezone as zone from organizations where id = {organization}',
      z.object({ zone: z.string() }),
    ),
    above: fact(
      'select phase from undertakings where organization_id = {organization} and id = {parent}',
      z.object({ phase: z.string() }).nullable(),
    ),
    others: fact(
      `select coalesce(sum(fare), 0)::int as fares from errands
        where organization_id = {organization} and undertaking_id = {parent}
          and id is distinct from {record}`,
      z.object({ fares: z.int() }),
    ),
  },
  module: 'risk',
  columns: ['chore', 'run', 'runner', 'runBy'],
  sections: {},
  firstFields: ['undertakingId', 'chore', 'mark', 'run', 'runner', 'runBy'],
  access: {
    read: withFeature(FEATURE, scope('read:risks')),
    create: withFeature(FEATURE, scope('write:risks')),
    update: withFeature(FEATURE, scope('write:risks')),
    delete: withFeature(FEATURE, leastRole('editor')),
  },
  writableBy: [
    { fields: ['run', 'runner', 'runBy', 'fare'], needs: scope('write:risks') },
    { fields: ['chore', 'mark', 'judge'], needs: person('write:risks') },
    { fields: ['verdict'], needs: leastRole('admin') },
  ],
  signals: [],
  watch: [],
  search: ['chore', 'mark'],
  filters: ['undertakingId', 'run', 'mark'],
  states: [{ field: 'run', next: { ahead: ['running'], running: ['run'], run: [] } }],
}).with(rules)

/** It stays without its undertaking. */
export const keepsake = kind({
  name: 'keepsake',
  plural: 'keepsakes',
  noun: { one: 'keepsake', many: 'keepsakes' },
  idPrefix: 'kps',
  referencePrefix: 'KPS',
  fields: {
    undertakingId: refTo('Undertaking', 'und'),
    errandId: refTo('Errand', 'err'),
    label: text('Label'),
    shelf: text('Shelf'),
    row: whole('Row', 1, 99),
    since: day('Since'),
  },
  named: 'label',
  required: ['label'],
  under: { kind: 'undertaking', field: 'undertakingId', path: 'keepsakes', withParent: 'keep' },
  module: 'risk',
  columns: ['label', 'shelf'],
  sections: {},
  firstFields: ['undertakingId', 'errandId', 'label', 'shelf', 'row', 'since'],
  access: {
    read: scope('read:risks'),
    create: scope('write:risks'),
    update: scope('write:risks'),
    delete: scope('write:risks'),
  },
  signals: [],
  watch: [],
  search: ['label'],
  filters: ['undertakingId'],
})
