import { risk } from '../model/kinds/risk.ts'
import { call } from '../server/call.ts'
import { admitKey } from '../server/caller/admission.ts'
import { statement } from '../server/database/connect.ts'
import { newId } from '../server/database/ids.ts'
import { operations } from '../server/operations.ts'
import { tableOf } from '../server/records/table.ts'
import type { Service } from '../server/service.ts'
import { gate, inOneBurst, otherRow } from './bare-driver.ts'
import { heardWith, overhear } from './overheard.ts'
import { type Organization, sampleRisk } from './seed.ts'

// Far beyond what the service draws meanwhile; each writer has its own.
let numbers = 0

/**
 * The write of `POST /v1/risks` without the service around it.
 * @param altered what becomes of the text of its statement
 */
export async function bareWrite(
  parts: Service,
  example: Organization,
  altered: (text: string) => string = (text) => text,
) {
  const operation = operations.find(({ name }) => name === 'createRisk')!
  const requestContext = { channel: 'rest', requestId: newId('req'), ip: '127.0.0.1' } as const
  const heard = await overhear(parts, async () => {
    const { caller } = await admitKey(parts, example.secret, requestContext)
    await call(parts, caller, operation, sampleRisk(example))
  })
  const admit = heardWith(heard, 'update api_key_usage')
  const enter = heardWith(heard, 'set_config')
  const write = heardWith(heard, 'with written as')
  const riskId = write.values.find((value) => String(value).startsWith('risk_'))
  const numbered = tableOf(risk).columns.findIndex(({ field }) => field === 'referenceNumber')
  numbers += 10_000_000
  let number = numbers
  const prepared = statement(altered(write.text))
  return async ({ id, userId, secret }: Organization) => {
    await gate(parts, admit, secret)
    const swapped = new Map<unknown, unknown>([
      [example.id, id],
      [example.userId, userId],
      [riskId, newId('risk')],
    ])
    const values = otherRow(write.values, swapped).with(numbered, number++)
    await inOneBurst(parts, enter, id, prepared(...values))
  }
}
