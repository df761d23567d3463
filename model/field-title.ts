import { z } from 'zod'
import { givenFields, type Kind } from './kind.ts'

/** What people call a field of a kind. */
export const fieldTitle = (kind: Kind, field: string): string =>
  z.globalRegistry.get((givenFields(kind)[field] ?? kind.derived[field])!)?.title ?? field
