import type { Values } from '../../model/complaint.ts'
import type { LevelColour } from '../../model/risk-matrix.ts'
import type { Field } from '../client/fields.ts'
import { records } from '../copy/records.ts'
import { percentWord, shareWord } from '../copy/shares.ts'
import styles from './share-bar.module.css'

/** A part of a whole: how many, and in which colour they are shown. */
export interface Share {
  readonly name: string
  readonly title: string
  readonly colour: LevelColour
  readonly count: number
}

/** The shares in a value that counts the parts of a whole. */
export const sharesOf = ({ parts, colours = {} }: Field, value: object): readonly Share[] =>
  parts.flatMap(({ name, title }) => {
    const colour = colours[name]
    return colour ? [{ name, title, colour, count: Number((value as Values)[name]) }] : []
  })

const totalOf = (shares: readonly Share[]): number => shares.reduce((sum, { count }) => sum + count, 0)

/** How many in a hundred the first of them is, never rounded up; null of nothing. */
export const percentOf = (shares: readonly Share[]): number | null =>
  totalOf(shares) === 0 ? null : Math.floor((100 * shares[0]!.count) / totalOf(shares))

/** The parts of a whole beside each other; what they are is read aloud and told on hover. */
export function ShareBar({
  shares,
  className = styles.bar,
}: {
  shares: readonly Share[]
  className?: string | undefined
}) {
  const total = totalOf(shares)
  const told = shares.flatMap(({ title, count }) => (count > 0 ? shareWord(title, count) : [])).join(', ')
  let from = 0
  return (
    <svg viewBox="0 0 100 8" preserveAspectRatio="none" className={className} role="img" aria-label={told}>
      <title>{told}</title>
      {shares.map(({ name, colour, count }) => {
        const x = from
        const width = total === 0 ? 0 : (100 * count) / total
        from += width
        return <rect key={name} x={x} width={width} height="8" data-colour={colour} />
      })}
    </svg>
  )
}

/** The same in a line, with how many in a hundred the first of them is. */
export function SharesInLine({ shares }: { shares: readonly Share[] }) {
  const percent = percentOf(shares)
  if (percent === null) return records.none
  return (
    <span className={styles.shares}>
      <ShareBar shares={shares} /> <span className={styles.percent}>{percentWord(percent)}</span>
    </span>
  )
}
