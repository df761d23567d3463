import { Refusal } from '../refusal.ts'
import type { Problem } from './bulk-row.ts'

export interface RefusedRow {
  readonly number: number
  readonly problems: readonly Problem[]
}

/** What was to be written wholly or not at all has rows that are refused. */
export class NotWhole extends Refusal {
  readonly rows: readonly RefusedRow[]

  constructor(rows: readonly RefusedRow[]) {
    const [{ number, problems }] = rows as [RefusedRow]
    const [{ field, message }] = problems as [Problem]
    super(
      'conflict',
      `Row ${number} could not be written, so nothing was: ${field ? `${field}: ` : ''}${message}. What is good can be carried out without it.`,
    )
    this.rows = rows
  }
}
