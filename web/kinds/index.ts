import { dataOf, entryOf } from '../../model/describe-kind.ts'
import type { KindData, KindEntry } from '../../model/described-kind.ts'
import type { KindRules } from '../../model/kind-rules.ts'
import { everyKind, type KindName } from '../../model/kinds/index.ts'

/*
 * What the app knows of the kinds. It is made of them when the app is built (plugin.ts): the index is in what loads
 * first, and of each kind the rest is a file of its own, fetched when something of it opens. So nothing here is ever
 * run by a browser; tests run it as it stands.
 */

export const kindIndex = Object.fromEntries(everyKind.map((kind) => [kind.name, entryOf(kind)])) as Readonly<
  Record<KindName, KindEntry>
>

export interface KindFile {
  readonly data: KindData
  readonly rules: Partial<KindRules>
}

export const kindFiles: Readonly<Record<string, () => Promise<KindFile>>> = Object.fromEntries(
  everyKind.map((kind) => [kind.name, async () => ({ data: dataOf(kind), rules: kind.rules ?? {} })]),
)
