import {
  choice,
  comparedWords,
  day,
  flag,
  instant,
  level,
  principal,
  refTo,
  scale,
  text,
  texts,
  whole,
} from '../fields.ts'
import { kind } from '../kind.ts'
import { scope } from '../needs.ts'
import { isAddressOrRange, isHostname } from '../network-names.ts'
import { assetControl } from '../relations/asset-control.ts'
import { assetParent } from '../relations/asset-parent.ts'
import { LEVELS } from '../scales.ts'

const NO_ADDRESS = 'is no IP address: give one such as 192.0.2.7 or 2001:db8::7, or a range as 10.0.0.0/8'

const TYPES = [
  'application',
  'service',
  'database',
  'data_store',
  'server',
  'virtual_machine',
  'container',
  'cloud_account',
  'network',
  'endpoint',
  'mobile_device',
  'saas_account',
  'repository',
  'domain',
  'certificate',
  'facility',
  'people_role',
  'information',
  'process',
  'ai_model',
  'other',
] as const

const TRANSITIONS = {
  planned: ['active'],
  active: ['maintenance', 'retired'],
  maintenance: ['active', 'retired'],
  retired: ['disposed'],
  disposed: [],
}

/** From 0, where nothing would come of it, to 4. */
const need = (title: string, what: string) =>
  whole(title, 0, 4).describe(`${what}, from 0 (none) to 4 (vital)`)
const hours = (title: string, what: string) => whole(title, 0, 100_000).describe(what)

export const asset = kind({
  name: 'asset',
  plural: 'assets',
  noun: { one: 'asset', many: 'assets', article: 'an' },
  idPrefix: 'ast',
  referencePrefix: 'AST',
  fields: {
    name: text('Name').describe('What people call it'),
    type: choice('Type', TYPES).describe('What it is'),
    assetClass: choice('Class', ['primary', 'supporting']).describe(
      'Whether it is of worth by itself, or carries what is',
    ),
    description: text('Description', 20_000).describe('What it is for, and who uses it'),
    status: scale('Status', ['planned', 'active', 'maintenance', 'retired', 'disposed']).describe(
      'Where it stands in its life',
    ),
    environment: choice('Environment', [
      'production',
      'staging',
      'development',
      'corporate',
      'other',
    ]).describe('Where it runs'),
    criticality: level('Criticality', LEVELS).describe('How grave it would be to lose it'),
    classification: scale('Classification', ['public', 'internal', 'confidential', 'restricted']).describe(
      'Whom what is in it is meant for; it hides nothing here',
    ),
    confidentiality: need('Confidentiality', 'How much depends on nobody else reading it'),
    integrity: need('Integrity', 'How much depends on it being right'),
    availability: need('Availability', 'How much depends on it being there'),
    privacy: need('Privacy', 'How much it tells of people'),
    safety: need('Safety', 'How much life and health depend on it'),
    rtoHours: hours('Recovery time objective', 'In hours: after so long it has to work again'),
    rpoHours: hours('Recovery point objective', 'In hours: so much work may be lost'),
    mtdHours: hours('Tolerable downtime', 'In hours: longer than that would endanger the organization'),
    owner: principal('Owner').describe('Who answers for it'),
    custodian: principal('Custodian').describe('Who runs it from day to day'),
    vendorId: refTo('Vendor', 'ven').describe('Who provides it, or runs it for the organization'),
    location: text('Location').describe('Where it stands'),
    region: text('Region').describe('Of the cloud or the country, such as eu-central-1'),
    provider: text('Provider').describe('Who it is rented from'),
    hostname: text('Hostname', 255)
      .refine(isHostname, 'is no name of a host: give one such as db1.example.com')
      .describe('In the network'),
    ipAddresses: texts('IP addresses', 50, comparedWords(200).refine(isAddressOrRange, NO_ADDRESS)).describe(
      'In the network; a range as 10.0.0.0/8',
    ),
    osVersion: text('Operating system').describe('With its version'),
    serialNumber: text('Serial number').describe('As its maker has it'),
    purchaseDate: day('Bought').describe('When it was bought'),
    endOfSupport: day('End of support').describe('From when its maker mends no faults any more'),
    containsPersonalData: flag('Contains personal data').describe('Whether it holds data about people'),
    internetExposed: flag('Exposed to the internet').describe('Whether anybody can reach it'),
    encrypted: flag('Encrypted').describe('Whether what lies on it is encrypted'),
    backupEnabled: flag('Backed up').describe('Whether it is backed up'),
    inScope: flag('In scope').describe('Whether compliance duties reach it'),
  },
  named: 'name',
  owners: ['owner', 'custodian'],
  isShownToOwners: true,
  deadlines: { support: { field: 'endOfSupport' } },
  required: ['name', 'type'],
  defaults: { status: 'active', inScope: true },
  derived: { lastSeenAt: instant('Last seen').describe('When a source told of it last') },
  module: 'assets',
  columns: ['name', 'type', 'status', 'criticality', 'owner', 'endOfSupport', 'updatedAt'],
  sections: {
    'The asset': ['name', 'type', 'assetClass', 'description', 'status', 'environment', 'owner', 'custodian'],
    Worth: [
      'criticality',
      'classification',
      'confidentiality',
      'integrity',
      'availability',
      'privacy',
      'safety',
      'rtoHours',
      'rpoHours',
      'mtdHours',
    ],
    Protection: ['inScope', 'containsPersonalData', 'internetExposed', 'encrypted', 'backupEnabled'],
    Place: ['vendorId', 'location', 'region', 'provider', 'hostname', 'ipAddresses'],
    Equipment: ['osVersion', 'serialNumber', 'purchaseDate', 'endOfSupport'],
  },
  firstFields: ['name', 'type', 'status', 'criticality', 'environment', 'owner'],
  access: {
    read: scope('read:assets'),
    create: scope('write:assets'),
    update: scope('write:assets'),
    delete: scope('write:assets'),
  },
  insteadOfDeletion: 'retire it',
  signals: [],
  watch: [],
  search: ['name', 'description', 'hostname', 'serialNumber', 'provider'],
  filters: [
    'type',
    'status',
    'criticality',
    'environment',
    'classification',
    'assetClass',
    'inScope',
    'vendorId',
  ],
  ascending: [['purchaseDate', 'endOfSupport']],
  states: [{ field: 'status', next: TRANSITIONS, done: ['active'] }],
  terminal: { field: 'status', values: ['retired', 'disposed'] },
  level: 'criticality',
  relations: [assetParent, assetControl],
  example: { name: 'Payroll database', type: 'database', criticality: 'high', environment: 'production' },
})
