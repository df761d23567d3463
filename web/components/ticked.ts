import type { Values } from '../../model/complaint.ts'
import type { Field } from '../client/fields.ts'

/** How many of the steps are ticked, and how many there are. */
export const ticked = ({ ticks }: Field, items: readonly Values[]): [done: number, all: number] => [
  items.filter((item) => item[ticks!] === true).length,
  items.length,
]
