import { z } from 'zod'
import type { Kind, SignalEvent } from '../../model/kind.ts'
import { change } from './history.ts'
import { recordSchema } from './schemas.ts'

/** What a signal of a record has under `data`: the record as it is now, or was at its end. */
export const signalDataSchema = (kind: Kind, event: SignalEvent): z.ZodObject =>
  z.object({
    record: recordSchema(kind),
    ...(event === 'updated'
      ? { changes: z.record(z.string(), change).describe('Every field that moved, by its name') }
      : {}),
  })
