import { z } from 'zod'
import { pascal } from '../../model/calls.ts'
import { timestamp } from '../output.ts'

const subject = z
  .object({ type: z.string().describe('What kind of thing it is'), id: z.string() })
  .meta({ id: 'SignalSubject', title: 'What a signal is about' })

const shape = {
  id: z.string().describe('Of the signal: the same at every endpoint that receives it'),
  time: timestamp.describe('When it happened; signals can arrive in another order'),
  organizationId: z.string(),
  subject,
}

/** What the bodies of all deliveries have, for the documents, which say it once. */
export const signalFields = z
  .object(shape)
  .meta({ id: 'SignalFields', title: 'What every signal has beside its type and data' })

/**
 * The body of every delivery of a type, for the documents: what the journal writes.
 * @param data what stands under `data`, which the type decides
 */
export const signalBody = (type: string, data: z.ZodType) =>
  z.object({ ...shape, type: z.literal(type), data }).meta({ id: `${pascal(type.replace('.', '_'))}Signal` })
