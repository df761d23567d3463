import type { CodeList, ItemOf, OnlyWhile } from './fields.ts'
import type { LevelColour } from './risk-matrix.ts'
import type { Role } from './scopes.ts'

/** A field of a kind or of an input, as a form, a column or a filter needs to know it. */
export interface Field {
  readonly name: string
  readonly title: string
  readonly description: string | undefined
  readonly form: Form
  /** Of a choice. */
  readonly options: readonly string[]
  /** What each option means, where that is told. */
  readonly meanings?: Readonly<Record<string, string>> | undefined
  /** What each option is called, where its own word does not say it. */
  readonly labels?: Readonly<Record<string, string>> | undefined
  /** While which other choice it is asked for; always, where absent. */
  readonly onlyWhile?: OnlyWhile | undefined
  /** Of a choice the colours of its options, of counts those of the parts that a bar of them shows. */
  readonly colours?: Readonly<Record<string, LevelColour>> | undefined
  /** Options that are shown, and chosen no more. */
  readonly retired?: readonly string[] | undefined
  /** Whether the choice says how grave it is, from the least of its options to the last. */
  readonly isLevel: boolean
  /** Which part of the risk matrix says what its options are called. */
  readonly ofMatrix?: 'likelihoods' | 'impacts' | 'levels' | undefined
  /** Whether something has to be done by it. */
  readonly isDeadline: boolean
  /** The id prefix of what it points at, and of a list of texts what each points at. */
  readonly target: string | undefined
  /** The list of the runtime that it is one of. */
  readonly place: CodeList | undefined
  /** An amount of the currency beside it. */
  readonly isMoney: boolean
  /** So many in a hundred. */
  readonly isPercent?: boolean | undefined
  /** Of a list of texts: each is a sentence, in a line of its own. */
  readonly isByLine: boolean
  /** Of the key of something: where that stands. */
  readonly itemOf?: ItemOf | undefined
  /** Of a list of steps: the part by which each is ticked. */
  readonly ticks?: string | undefined
  /** Of whoever decides: the least role that they have. */
  readonly decidedBy?: Role | undefined
  /** Whether whoever fills it in cannot name themselves. */
  readonly byAnother?: boolean | undefined
  /** Of several who decide: the field that names whoever does so beside them. */
  readonly beside?: string | undefined
  /** Of whom records wait for: the least role that can take that up. */
  readonly takenUpBy?: Role | undefined
  /** Of a part: whether an object cannot be without it. */
  readonly isNeeded: boolean
  /** Of an object, or of each in a list of them: its own fields. */
  readonly parts: readonly Field[]
}

export type Form =
  | 'line'
  | 'text'
  | 'url'
  | 'choice'
  | 'choices'
  | 'day'
  | 'instant'
  | 'number'
  | 'flag'
  | 'words'
  | 'principal'
  | 'record'
  | 'place'
  | 'object'
  | 'objects'
  | 'pairs'
  | 'itemId'
  | 'other'

/** Whether there is an input for it; a field without one is nowhere to be filled in. */
export const hasInput = ({ form }: Field): boolean => form !== 'itemId' && form !== 'other'

/** The parts of an object, or of each in a list of them, that people read and fill in. */
export const partsShown = ({ parts }: Field): readonly Field[] => parts.filter(hasInput)

/** `annualFrequencyMin` as "Annual frequency min". */
export const spelled = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** What a field has of which nothing is said. */
export const BLANK: Omit<Field, 'name' | 'parts'> = {
  title: '',
  description: undefined,
  form: 'line',
  options: [],
  isLevel: false,
  isDeadline: false,
  target: undefined,
  place: undefined,
  isMoney: false,
  isByLine: false,
  isNeeded: false,
}
