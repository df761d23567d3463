import type { Kind } from '../../model/kind.ts'
import { errand, keepsake } from './errand.ts'
import { undertaking } from './undertaking.ts'

/* Stands for model/kinds/index.ts in a process of its own: the kinds that there are, and a family more. */

// By another address than the one that this file stands for.
const list = new URL('../../model/kinds/index.ts?there-are', import.meta.url).href
const there: typeof import('../../model/kinds/index.ts') = await import(list)

export const kinds = { ...there.kinds, undertaking, errand, keepsake } as const

export const everyKind = Object.values(kinds) as unknown as readonly Kind[]
