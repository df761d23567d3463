import type { Values } from '../../model/complaint.ts'
import type { DescribedKind } from '../../model/described-kind.ts'
import { ratedBy } from '../../model/risk-matrix.ts'
import { rating as words } from '../copy/rating.ts'
import { optionOf, valueWord } from '../copy/records.ts'
import { type Field, fieldsOf } from './fields.ts'
import { riskMatrix } from './risk-matrix.ts'

/** One of the stages that the level of a record goes through. */
export interface Stage {
  readonly name: string
  readonly word: string
  readonly level: Field
  readonly score: Field | undefined
  /** What the level follows from; none where it is chosen itself. */
  readonly pair: readonly [across: Field, down: Field] | undefined
  /** Whether it is the level that lists show. */
  readonly isMain: boolean
}

/** The stages of a kind in their order; none where it has no more than one level. */
export function stagesOf(kind: DescribedKind): readonly Stage[] {
  const fields = fieldsOf(kind)
  return Object.entries(kind.ratings ?? {}).map(([name, { level, score }]) => {
    const pair = kind.crossTabs?.[name]
    return {
      name,
      word: valueWord(name),
      level: fields.get(level)!,
      score: score === undefined ? undefined : fields.get(score),
      pair: pair && [fields.get(pair[0])!, fields.get(pair[1])!],
      isMain: level === kind.level,
    }
  })
}

/** The fields that a stage is given by. */
export const givenBy = ({ pair, level }: Stage): readonly Field[] => pair ?? [level]

/** The level and the score of a stage; null where it is not rated. */
export function ratedAs(stage: Stage, record: Values): { level: string; score: number | null } | null {
  const level = record[stage.level.name]
  if (typeof level !== 'string') return null
  return { level, score: stage.score ? (record[stage.score.name] as number | null) : null }
}

/** What follows from the risk matrix of the organization, ahead of the answer: to be shown, not to be kept. */
export const ratedNow = ({ byMatrix }: DescribedKind, values: Values): Values =>
  byMatrix ? ratedBy(byMatrix, riskMatrix(), values) : {}

/** What a level follows from, as in "Likely × Major". */
export function pairWords({ pair }: Stage, record: Values): string {
  const [across, down] = pair!.map((field) => {
    const value = record[field.name]
    return typeof value === 'string' ? optionOf(field, value) : words.none
  })
  return words.pair(across!, down!)
}
