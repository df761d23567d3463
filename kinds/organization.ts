import { z } from 'zod'
import { choice, country, flag, text } from './fields.ts'

/** What a new organization may be given, and what an admin may change later (records.md 2.1). */
export const ORGANIZATION_FIELDS = {
  name: text('Name'),
  legalName: text('Legal name'),
  website: z.httpUrl().max(2_048).meta({ title: 'Website' }),
  industry: text('Industry'),
  size: choice('Size', ['1_10', '11_50', '51_200', '201_1000', '1001_5000', 'over_5000']),
  country: country('Country'),
  locale: z
    .string()
    .max(35)
    .refine(isLocale, 'expected a language tag such as en or de-AT')
    .meta({ title: 'Language' }),
  timezone: z
    .string()
    .max(64)
    .refine(isTimezone, 'expected a time zone such as Europe/Vienna')
    .meta({ title: 'Time zone' }),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'expected three capital letters (ISO 4217)')
    .meta({ title: 'Currency' }),
  securityContact: z.email().max(254).meta({ title: 'Security contact' }),
} as const

/** Those of them that an organization always has. */
export const ALWAYS_SET: ReadonlySet<string> = new Set(['name', 'locale', 'timezone', 'currency'])

/** What may be switched on for one organization. */
export const ORGANIZATION_FEATURES = {
  supplierRiskManagement: flag('Supplier risk management').describe(
    'Contracts, assessments, registers and the nine supplier signal types',
  ),
} as const

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null
  } catch {
    return false
  }
}
