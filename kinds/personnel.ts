import { z } from 'zod'
import { choice, country, day, flag, refTo, text } from './fields.ts'
import { kind } from './kind.ts'

const TRANSITIONS = {
  pre_start: ['active'],
  active: ['on_leave', 'offboarding'],
  on_leave: ['active', 'offboarding'],
  offboarding: ['former'],
  former: ['active'],
}

/** A person of the directory, who may own records without ever signing in. */
export const personnel = kind({
  name: 'personnel',
  plural: 'personnel',
  title: 'Person',
  idPrefix: 'per',
  referencePrefix: 'PER',
  fields: {
    fullName: text('Full name'),
    workEmail: z.email().max(254).meta({ title: 'Work e-mail' }),
    givenName: text('Given name'),
    familyName: text('Family name'),
    preferredName: text('Preferred name'),
    jobTitle: text('Job title'),
    department: text('Department'),
    team: text('Team'),
    location: text('Location'),
    country: country('Country'),
    managerId: refTo('Manager', 'per'),
    employeeNumber: text('Employee number', 100),
    employmentType: choice('Employment', [
      'employee',
      'contractor',
      'intern',
      'temporary',
      'consultant',
      'board_member',
      'external',
    ]),
    status: choice('Status', ['pre_start', 'active', 'on_leave', 'offboarding', 'former']),
    inScope: flag('In scope'),
    outOfScopeReason: text('Why out of scope', 2_000),
    startDate: day('First day'),
    endDate: day('Last day'),
    userId: refTo('User', 'usr'),
  },
  required: ['fullName', 'workEmail'],
  defaults: { employmentType: 'employee', status: 'active', inScope: true },
  area: 'people',
  columns: ['fullName', 'jobTitle', 'department', 'status', 'employmentType', 'workEmail', 'startDate'],
  sections: {
    'The person': ['fullName', 'workEmail', 'givenName', 'familyName', 'preferredName'],
    Work: [
      'jobTitle',
      'department',
      'team',
      'managerId',
      'location',
      'country',
      'employeeNumber',
      'employmentType',
    ],
    Standing: ['status', 'startDate', 'endDate', 'inScope', 'outOfScopeReason', 'userId'],
  },
  verbs: { create: 'key', list: 'key', get: 'key', update: 'key', delete: 'key' },
  insteadOfDeletion: 'take the person through offboarding to former',
  signals: [],
  watch: [],
  search: ['fullName', 'workEmail', 'jobTitle', 'department'],
  filters: ['status', 'employmentType', 'department', 'inScope'],
  sorts: ['createdAt', 'updatedAt', 'fullName', 'workEmail'],
  states: { field: 'status', next: TRANSITIONS },
  example: { fullName: 'Bo Lind', workEmail: 'bo.lind@example.com', jobTitle: 'Network engineer' },
}).with({
  refuse: (before, after) => {
    if (before && after.managerId === before.id)
      return { path: 'managerId', message: 'nobody is their own manager' }
    return null
  },
})
