import { Badge } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { countWord } from '../copy/counts.ts'
import { records } from '../copy/records.ts'
import styles from './plain-value.module.css'

/** Somebody may have put boxes into boxes without end. */
const DEEPEST = 4

/** A value of which nothing is known but itself, whatever somebody put into it: text, words, or names with values. */
export function PlainValue({ value, depth = 0 }: { value: unknown; depth?: number }) {
  if (value === null || isNothing(value)) return <span className={styles.none}>{records.noValue}</span>
  if (typeof value === 'boolean') return value ? records.yes : records.no
  if (typeof value === 'number') return countWord(value)
  if (typeof value !== 'object') return <bdi className={styles.text}>{String(value)}</bdi>
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object'))
    return <Words words={value.map(String)} />
  if (depth === DEEPEST) return <bdi className={styles.text}>{JSON.stringify(value)}</bdi>
  const named = Array.isArray(value) ? Object.fromEntries(value.map((one, at) => [at + 1, one])) : value
  const pairs = Object.entries(named).map(
    ([name, one]): Pair => [
      name,
      <bdi key={name}>{name}</bdi>,
      <PlainValue key={name} value={one} depth={depth + 1} />,
    ],
  )
  return <Pairs pairs={pairs} />
}

export type Pair = readonly [name: string, title: ReactNode, value: ReactNode]

/** Names with values. */
export function Pairs({ pairs }: { pairs: readonly Pair[] }) {
  if (pairs.length === 0) return <PlainValue value={null} />
  return (
    <dl className={styles.pairs}>
      {pairs.map(([name, title, value]) => (
        <div key={name}>
          <dt>{title}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Several words or names, in the order they have. */
export function Words({ words }: { words: readonly string[] }) {
  if (words.length === 0) return <PlainValue value={null} />
  return (
    <span className={styles.words}>
      {[...new Set(words)].map((word) => (
        <Fragment key={word}>
          <Badge component="bdi" fw={400} maw="100%">
            {word}
          </Badge>{' '}
        </Fragment>
      ))}
    </span>
  )
}

const isNothing = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
