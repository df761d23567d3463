import type { DescribedKind } from '../../../model/described-kind.ts'
import { machineOf, stateField } from '../../../model/roles.ts'
import type { Field } from '../../client/fields.ts'
import { optionOf } from '../../copy/records.ts'
import { isToldAsNear } from '../is-late.ts'

/*
 * How wide the columns of a register are: each as its values need it, the name with all that the others leave. Where
 * that is more than there is room for, those that can be cut within a word give way together, down to a least: only
 * below that is the table scrolled, so that a date at its end is read at once.
 */

export interface ColumnWidth {
  readonly least: number
  readonly most: number
}

/** What is called by it is what is read: it has most of what there is to share. */
const NAME: ColumnWidth = { least: 200, most: 360 }
const SELECT = 36
/** Its head and the arrow of its order. */
const REFERENCE_LEAST = 92

const WIDTHS: Partial<Record<Field['form'], ColumnWidth>> = {
  line: { least: 88, most: 200 },
  principal: { least: 88, most: 136 },
  day: { least: 116, most: 116 },
  number: { least: 76, most: 76 },
  flag: { least: 84, most: 84 },
  // In two lines, so that two editions of a framework can be distinguished.
  record: { least: 120, most: 176 },
}

/** "59 minutes ago" */
const NEAR: ColumnWidth = { least: 118, most: 118 }
/** "Nov 26, 10:10 PM" */
const DATED: ColumnWidth = { least: 142, most: 142 }
const OTHER: ColumnWidth = { least: 112, most: 136 }
const CHOICE_LEAST = 104
const STATE_MOST = 240

/** What people quote is never cut: where its kind numbers it, it is short. */
function widthOfReference({ referencePrefix }: DescribedKind, longest: number): number {
  const letters = Math.max(longest, (referencePrefix ?? '').length + '-1234'.length)
  return Math.min(160, Math.max(REFERENCE_LEAST, 17 + letters * 8))
}

/** A choice is as wide as the longest of its words; a state has a mark before it, and is read whole. */
function widthOf(kind: DescribedKind, field: Field): ColumnWidth {
  const { name, form, isLevel, options } = field
  if (form === 'instant') return isToldAsNear(kind, field) ? NEAR : DATED
  if (form !== 'choice') return WIDTHS[form] ?? OTHER
  // With its bars, in full: how grave something is, is read first.
  if (isLevel) return fixed(42 + longestOf(field, options) * 7)
  if (machineOf(kind, name)) return widthOfState(kind, field)
  const most = Math.min(176, Math.max(96, 22 + longestOf(field, options) * 7))
  return { least: Math.min(CHOICE_LEAST, most), most }
}

/** With what is said behind it; where that has no room there it stands beneath, and of some states is whole there. */
function widthOfState(kind: DescribedKind, field: Field): ColumnWidth {
  const { name, options } = field
  const also = Object.entries(machineOf(kind, name)?.also ?? {}).map(
    ([flag, { states }]) => 96 + (longestOf(field, states) + kind.derived[flag]!.title.length) * 7,
  )
  const bare = Math.max(Math.min(176, Math.max(96, 42 + longestOf(field, options) * 8)), ...also)
  const asking = name === stateField(kind) ? (kind.attention ?? []) : []
  const said = asking.map(({ title, states }) => ({
    isOfSome: states[name] !== undefined,
    beneath: 40 + title.length * 8,
    behind: 67 + (longestOf(field, states[name] ?? options) + title.length) * 8,
  }))
  const least = Math.max(bare, ...said.map(({ isOfSome, beneath }) => (isOfSome ? beneath : 0)))
  const most = Math.min(STATE_MOST, Math.max(0, ...said.map(({ behind }) => behind)))
  return { least, most: Math.max(least, most) }
}

const longestOf = (field: Field, options: readonly unknown[]): number =>
  Math.max(...options.map((option) => optionOf(field, String(option)).length))

const fixed = (width: number): ColumnWidth => ({ least: width, most: width })

export interface TableWidths {
  /** Of the whole table: below this it is scrolled. */
  readonly least: number
  readonly select: string
  readonly reference: string
  /** Of each column, in their order. */
  readonly columns: readonly string[]
}

/**
 * @param longest letters of the longest reference
 * @returns CSS lengths; `100cqw` is the room that there is
 */
export function tableWidths(kind: DescribedKind, columns: readonly Field[], longest = 0): TableWidths {
  const reference = widthOfReference(kind, longest)
  const widths = columns.map((field) => widthOf(kind, field))
  const sum = (of: keyof ColumnWidth) =>
    widths.reduce((all, width) => all + width[of], NAME[of] + reference + SELECT)
  const [least, most] = [sum('least'), sum('most')]
  const shared = ({ least: from, most: to }: ColumnWidth) =>
    from === to
      ? `${to}px`
      : `clamp(${from}px, ${from}px + (100cqw - ${least}px) * ${((to - from) / (most - least)).toFixed(4)}, ${to}px)`
  return { least, select: `${SELECT}px`, reference: `${reference}px`, columns: widths.map(shared) }
}
