import type { Kind } from '../../model/kind.ts'
import { control } from '../../model/kinds/control.ts'
import { personnel } from '../../model/kinds/personnel.ts'
import { risk } from '../../model/kinds/risk.ts'
import { undertaking } from './undertaking.ts'

/** Stands for model/kinds/index.ts in a process of its own: the kinds that there are, and one more. */
export const kinds = { risk, control, personnel, undertaking } as const

export const everyKind = Object.values(kinds) as unknown as readonly Kind[]
