import { z } from 'zod'
import { country, day, level, principal, scale, text, url, whole } from '../../model/fields.ts'
import { kind } from '../../model/kind.ts'
import { scope } from '../../model/needs.ts'
import { relation } from '../../model/relation.ts'

/** A kind with none of the names that others use: whatever reads a field by its name alone does not find it here. */
export const undertaking = kind({
  name: 'undertaking',
  plural: 'undertakings',
  noun: { one: 'undertaking', many: 'undertakings', article: 'an' },
  idPrefix: 'und',
  referencePrefix: 'UND',
  fields: {
    action: text('Action'),
    plan: text('Plan'),
    step: text('Step'),
    order: text('Order'),
    expiresOn: day('Expires'),
    assignee: principal('Assignee'),
    phase: scale('Phase', ['begun', 'halted', 'over']),
    haltedBecause: text('Why it was halted'),
    page: url('Page'),
    witnesses: z.array(z.strictObject({ fullName: text('Full name'), since: day('Since').optional() })).meta({
      title: 'Witnesses',
    }),
    exposure: level('Exposure', ['none', 'slight', 'grave']),
    countries: z.array(country('Country')).max(20).meta({ title: 'Countries' }),
    seat: country('Seat'),
    consent: scale('Consent', ['asked', 'given', 'withdrawn', 'waived']),
  },
  named: 'action',
  owners: ['assignee'],
  deadlines: { expiry: { field: 'expiresOn', notices: [30, 7, 1, 0], while: ['begun'], lapses: 'over' } },
  unique: { step: ['plan', 'step'], order: ['order'] },
  required: ['action'],
  defaults: { phase: 'begun', consent: 'asked' },
  module: 'risk',
  columns: ['action', 'phase', 'consent', 'assignee', 'expiresOn'],
  sections: {},
  firstFields: ['action', 'plan', 'step', 'expiresOn', 'assignee', 'phase'],
  access: {
    read: scope('read:risks'),
    create: scope('write:risks'),
    update: scope('write:risks'),
    delete: scope('write:risks'),
  },
  signals: [],
  watch: [],
  search: ['action', 'plan', 'order'],
  filters: ['phase', 'consent', 'exposure', 'seat'],
  states: [
    {
      field: 'phase',
      next: { begun: ['halted', 'over'], halted: ['begun'], over: [] },
      asks: {
        halted: [{ fields: ['haltedBecause'], anew: true, isReason: true, message: 'say why it was halted' }],
      },
    },
    {
      field: 'consent',
      next: { asked: ['given'], given: ['withdrawn'], withdrawn: [], waived: [] },
      byAction: { waived: ['waiveUndertaking'] },
      done: ['given'],
      leavingNeeds: { given: 'settings.manage' },
    },
  ],
  level: 'exposure',
  relations: [
    relation({ name: 'undertaking_risk', from: 'undertaking', to: 'risk', table: 'undertaking_risks' }),
    // Another with the same kind, of which a link says something.
    relation({
      name: 'undertaking_aftermath',
      from: 'undertaking',
      to: 'risk',
      called: {
        to: { one: 'aftermath', many: 'aftermaths', article: 'an' },
        from: { one: 'origin', many: 'origins', article: 'an' },
      },
      table: 'undertaking_aftermaths',
      fields: { weight: scale('Weight', ['light', 'heavy']), seenOn: day('Seen') },
      defaults: { weight: 'light' },
    }),
    relation({
      name: 'undertaking_control',
      from: 'undertaking',
      to: 'control',
      table: 'undertaking_controls',
      fields: { weight: whole('Weight', 0, 100), because: text('Why') },
      atMost: 2,
      needs: scope('write:controls'),
    }),
    relation({
      name: 'undertaking_successor',
      from: 'undertaking',
      to: 'undertaking',
      called: {
        to: { one: 'successor', many: 'successors' },
        from: { one: 'forerunner', many: 'forerunners' },
      },
      table: 'undertaking_successors',
      isAcyclic: true,
    }),
  ],
  terminal: { field: 'phase', values: ['over'] },
})
