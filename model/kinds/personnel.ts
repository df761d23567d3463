import { z } from 'zod'
import { fact, factOfReadings } from '../fact.ts'
import { choice, country, day, email, flag, line, refTo, scale, text } from '../fields.ts'
import { kind } from '../kind.ts'
import { scope } from '../needs.ts'
import { rules } from './personnel-rules.ts'

const TRANSITIONS = {
  pre_start: ['active'],
  active: ['on_leave', 'offboarding'],
  on_leave: ['active', 'offboarding'],
  offboarding: ['former'],
  former: ['active'],
}

const policiesAcknowledged = z
  .object({ required: z.int(), done: z.int() })
  .meta({ title: 'Policies acknowledged' })
  .describe('How many texts in force they were asked to acknowledge, and have')

/** Of the texts in force, and of those before them that said the same. */
const acknowledgedBy = (organization: string, person: string): string => `(
  select json_build_object('required', count(*), 'done', count(*) filter (where a.status = 'acknowledged'))
    from attestations a
    join policies p on p.organization_id = a.organization_id and p.id = a.policy_id
    join policy_versions v on v.organization_id = p.organization_id and v.id = p.current_version_id
   where a.organization_id = ${organization} and a.personnel_id = ${person} and a.round = v.major
     and a.status in ('requested', 'viewed', 'acknowledged'))`

/** A person of the directory, who may own records without ever signing in. */
export const personnel = kind({
  name: 'personnel',
  plural: 'personnel',
  noun: { one: 'person', many: 'personnel' },
  about:
    'The directory of who works here, with their jobs, whether or not they sign in. Who signs in: listUsers; whom to make owner: listOwnershipPrincipals.',
  idPrefix: 'per',
  referencePrefix: 'PER',
  fields: {
    fullName: line('Full name').describe('As colleagues know the person'),
    workEmail: email('Work e-mail').describe(
      'Unique in the directory; of an entry that stands an admin changes it, or a key of theirs',
    ),
    givenName: line('Given name').describe('Where letters need it apart'),
    familyName: line('Family name').describe('Where letters need it apart'),
    preferredName: line('Preferred name').describe('What they want to be called'),
    jobTitle: text('Job title').describe('What they are employed as'),
    department: text('Department').describe('As your organization chart has it'),
    team: text('Team').describe('Within the department'),
    location: text('Location').describe('Where they work'),
    country: country('Country').describe('ISO 3166-1 alpha-2, such as AT'),
    managerId: refTo('Manager', 'per').describe('The directory entry of whom they report to'),
    employeeNumber: text('Employee number', 100).describe('In the books of human resources'),
    employmentType: choice('Employment', [
      'employee',
      'contractor',
      'intern',
      'temporary',
      'consultant',
      'board_member',
      'external',
    ]).describe('On what terms they work'),
    status: scale('Status', ['pre_start', 'active', 'on_leave', 'offboarding', 'former']).describe(
      'Where they stand between joining and leaving',
    ),
    inScope: flag('In scope').describe('Whether compliance duties reach them'),
    outOfScopeReason: text('Why out of scope', 2_000).describe('Why no duties reach them'),
    startDate: day('First day').describe('When they begin'),
    endDate: day('Last day').describe('When they leave'),
    userId: refTo('User', 'usr').describe(
      'The user they sign in as, if they do: set by itself where a member signs in by this work e-mail',
    ),
  },
  named: 'fullName',
  composed: {
    field: 'fullName',
    parts: ['nameParts.title', 'givenName', 'nameParts.middle', 'familyName'],
    titles: { 'nameParts.title': 'Academic title', 'nameParts.middle': 'Middle name' },
  },
  unique: { workEmail: ['workEmail'], userId: ['userId'] },
  required: ['fullName', 'workEmail'],
  defaults: { employmentType: 'employee', status: 'active', inScope: true },
  readings: {
    policiesAcknowledged: { schema: policiesAcknowledged, sql: acknowledgedBy('r.organization_id', 'r.id') },
  },
  module: 'people',
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
  firstFields: ['fullName', 'workEmail', 'jobTitle', 'department', 'managerId', 'startDate'],
  access: {
    read: scope('read:personnel'),
    create: scope('write:personnel'),
    update: scope('write:personnel'),
    delete: scope('write:personnel'),
  },
  insteadOfDeletion: 'take the person through offboarding to former',
  facts: {
    login: fact(
      `select (select lower(u.email) from members m join users u on u.id = m.account_id
                where m.organization_id = {organization} and m.user_id = {userId}) as email,
              exists (select from members m where m.organization_id = {organization} and m.user_id = {person}
                        and m.role = 'admin' and m.status = 'active') as "byAdmin",
              exists (select from members m where m.organization_id = {organization} and m.user_id = {user}
                        and m.role = 'admin' and m.status = 'active') as "forAdmin",
              {userId}::text is not null and exists (
                select from audit_entries e
                 where e.organization_id = {organization} and e.subject_id = {record}
                   and lower(e.changes #>> '{workEmail,from}') <> lower(e.changes #>> '{workEmail,to}')) as "wasRetyped"`,
      z.object({
        email: z.string().nullable(),
        byAdmin: z.boolean(),
        forAdmin: z.boolean(),
        wasRetyped: z.boolean(),
      }),
    ),
    counted: factOfReadings(
      `select ${acknowledgedBy('{organization}', '{record}')} as "policiesAcknowledged",
              exists (select from attestations a where a.organization_id = {organization}
                 and a.personnel_id = {record} and a.status = 'acknowledged') as "hasAcknowledged"`,
      z.object({ policiesAcknowledged, hasAcknowledged: z.boolean() }),
    ),
  },
  signals: [],
  watch: [],
  search: ['fullName', 'workEmail', 'jobTitle', 'department'],
  filters: ['status', 'employmentType', 'department', 'inScope'],
  ascending: [['startDate', 'endDate']],
  acyclic: ['managerId'],
  states: [{ field: 'status', next: TRANSITIONS, done: ['active'] }],
  example: { fullName: 'Bo Lind', workEmail: 'bo.lind@example.com', jobTitle: 'Network engineer' },
}).with(rules)
