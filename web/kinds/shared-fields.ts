import { z } from 'zod'
import { fieldDataOf } from '../../model/describe-kind.ts'
import { COMMON_FIELDS, SERVICE_FIELDS } from '../../model/kind.ts'
import {
  ALWAYS_SET,
  ORGANIZATION_APPROVALS,
  ORGANIZATION_DEADLINES,
  ORGANIZATION_FEATURES,
  ORGANIZATION_FIELDS,
  ORGANIZATION_SECURITY,
} from '../../model/organization.ts'

/*
 * Fields that belong to no kind, as data. As index.ts, it is run when the app is built, and by tests.
 */

/** What every record may be given beside the fields of its kind. */
export const commonFields = fieldDataOf(COMMON_FIELDS)

/** What the service sets on every record. */
export const serviceFields = fieldDataOf(SERVICE_FIELDS)

/** What an admin may change of an organization. */
export const organizationFields = fieldDataOf(ORGANIZATION_FIELDS)
export const organizationAlwaysSet: readonly string[] = [...ALWAYS_SET]

/** What else is known of one. */
export const organizationSettings = fieldDataOf({
  ...ORGANIZATION_SECURITY,
  ...ORGANIZATION_APPROVALS,
  ...ORGANIZATION_DEADLINES,
  features: z.strictObject(ORGANIZATION_FEATURES),
})
