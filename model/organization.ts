import { z } from 'zod'
import { choice, country, currency, email, flag, language, line, timeZone, whole } from './fields.ts'

/** What a new organization may be given, and what an admin may change later. */
export const ORGANIZATION_FIELDS = {
  name: line('Name'),
  legalName: line('Legal name'),
  website: z.httpUrl().max(2_048).meta({ title: 'Website' }),
  industry: line('Industry'),
  size: choice('Size', ['1_10', '11_50', '51_200', '201_1000', '1001_5000', 'over_5000']),
  country: country('Country'),
  locale: language('Language'),
  timezone: timeZone('Time zone'),
  currency: currency('Currency'),
  securityContact: email('Security contact'),
} as const

/** How people get into it. */
export const ORGANIZATION_SECURITY = {
  secondFactorRequired: flag('Second factor required').describe(
    'Whoever signs in with a password sets up an authenticator app or a passkey before anything else',
  ),
} as const

/** By how grave a security finding is, in how many days it is to be resolved; null: at no set time. */
const days = (title: string) => whole(title, 1, 3_650).nullable().meta({ title })

export const FINDING_SLA = {
  critical: days('Critical'),
  high: days('High'),
  medium: days('Medium'),
  low: days('Low'),
  informational: days('Informational'),
} as const

export type FindingSlaDays = Readonly<Record<keyof typeof FINDING_SLA, number | null>>

/** Who may approve what. */
export const ORGANIZATION_APPROVALS = {
  allowSelfApproval: flag('Authors may approve alone').describe(
    'Whether a policy that nobody approved but those who wrote it can be published',
  ),
} as const

/** By when things are to be done, where nobody says it of each. */
export const ORGANIZATION_DEADLINES = {
  findingSlaDays: z
    .strictObject(FINDING_SLA)
    .meta({ id: 'FindingSlaDays', title: 'Days to resolve a security finding' })
    .describe(
      'By severity, counted from the day it was detected in the time zone of the organization; null: no date',
    ),
} as const

/** Those of them that an organization always has. */
export const ALWAYS_SET: ReadonlySet<string> = new Set(['name', 'locale', 'timezone', 'currency'])

/** What may be switched on for one organization. */
export const ORGANIZATION_FEATURES = {
  supplierRiskManagement: flag('Supplier risk management').describe(
    'Webhook endpoints may subscribe to the nine supplier signal types; nothing else changes',
  ),
} as const
