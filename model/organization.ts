import { z } from 'zod'
import { choice, country, currency, email, flag, language, text, timeZone } from './fields.ts'

/** What a new organization may be given, and what an admin may change later. */
export const ORGANIZATION_FIELDS = {
  name: text('Name'),
  legalName: text('Legal name'),
  website: z.httpUrl().max(2_048).meta({ title: 'Website' }),
  industry: text('Industry'),
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

/** Those of them that an organization always has. */
export const ALWAYS_SET: ReadonlySet<string> = new Set(['name', 'locale', 'timezone', 'currency'])

/** What may be switched on for one organization. */
export const ORGANIZATION_FEATURES = {
  supplierRiskManagement: flag('Supplier risk management').describe(
    'Contracts, assessments, registers and the nine supplier signal types',
  ),
} as const
