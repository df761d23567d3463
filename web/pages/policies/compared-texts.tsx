import { Button, Stack, Text } from '@mantine/core'
import { memo, type ReactNode, useMemo, useState } from 'react'
import { Markdown } from '../../components/markdown.tsx'
import { compared as words } from '../../copy/compared.ts'
import { isRow, type Passage, type ReadChange, type ReadPassage } from './as-read.ts'
import { ComparedTable, NOTES } from './compared-table.tsx'
import { foldedIn, type Part, piecesOf, unfolded } from './folded.ts'
import { Compared, Marked, OfVersion, type PicturesCompared } from './marked.tsx'
import { depthOf } from './passages.ts'
import styles from './policies.module.css'
import { useComparison, useDrawnOf } from './use-comparison.ts'

/** So many unchanged passages stand around each change; the rest is folded. */
const AROUND = 1

/**
 * What changed from one text to another, by word, as it is read.
 * @param isWhole what is unchanged is not folded: the later text is read as a whole
 * @param end what stands at its end, once all of it is drawn
 */
export function ComparedTexts({
  before,
  after,
  pictures,
  head,
  isWhole = false,
  end,
}: {
  before: string
  after: string
  pictures: PicturesCompared
  head: ReactNode
  isWhole?: boolean
  end?: ReactNode
}) {
  const comparison = useComparison(before, after)
  const parts = useMemo(
    () => (isWhole ? unfolded : foldedIn)(comparison?.changes ?? []),
    [comparison, isWhole],
  )
  const { drawn, more } = useDrawnOf(parts.length)
  const told = useMemo(() => comparison && toldOf(comparison.changes), [comparison])
  return (
    <Stack gap="sm" className={styles.compared} aria-busy={!comparison}>
      {head}
      <Text size="sm" c="dimmed" role="status">
        {told ?? words.comparing}
      </Text>
      {comparison?.isCoarse && <Text size="sm">{words.coarse}</Text>}
      <Compared value={pictures}>
        <Pieces parts={parts.slice(0, drawn)} />
      </Compared>
      {more && (
        <p className={styles.fold}>
          <Button variant="subtle" size="compact-xs" onClick={more}>
            {words.more(parts.length - drawn)}
          </Button>
        </p>
      )}
      {comparison && drawn === parts.length && end}
    </Stack>
  )
}

function toldOf(changes: readonly ReadChange[]): string {
  const count = { same: 0, added: 0, removed: 0, moved_here: 0, moved_away: 0, changed: 0, reformatted: 0 }
  for (const { type } of changes) count[type] += 1
  return count.same === changes.length
    ? words.same
    : words.counts(count.changed, count.added, count.removed, count.moved_here, count.reformatted)
}

const Pieces = ({ parts }: { parts: readonly Part[] }) =>
  [...piecesOf(parts)].map((piece) => {
    const [{ at, some, table }] = piece
    if (table) return <ComparedTable key={at} parts={piece} />
    const [first] = some
    return some.length === 1 && !isRow(first!) ? (
      <ChangeOf key={at} change={first!} />
    ) : (
      <Unchanged key={at} some={some} />
    )
  })

const Unchanged = memo(function Unchanged({ some }: { some: readonly ReadChange[] }) {
  const [isOpen, setIsOpen] = useState(some.length <= 2 * AROUND + 1)
  if (isOpen) return <Pieces parts={unfolded(some)} />
  // Of a table in which nothing changed no row stands alone.
  const [first, last] = [some[0]!, some.at(-1)!].map((one) => (isRow(one) ? null : one))
  return (
    <>
      {first && <ChangeOf change={first} />}
      <p className={styles.fold}>
        <Button variant="subtle" size="compact-xs" onClick={() => setIsOpen(true)}>
          {words.unchanged(some.length - (first ? AROUND : 0) - (last ? AROUND : 0))}
        </Button>
      </p>
      {last && <ChangeOf change={last} />}
    </>
  )
})

const ChangeOf = memo(function ChangeOf({ change }: { change: ReadPassage }) {
  switch (change.type) {
    case 'changed':
      return (
        <Looking passage={change.passage}>
          <Marked words={change.words} />
        </Looking>
      )
    case 'moved_here':
    case 'moved_away':
    case 'reformatted':
      return (
        <div
          className={`${styles.moved} ${change.type === 'moved_away' ? styles.away : ''}`}
          data-type={change.type}
        >
          <Text size="xs" fw={600}>
            {NOTES[change.type]}
          </Text>
          <Whole text={change.text} isGone={change.type === 'moved_away'} />
        </div>
      )
    case 'added':
      return (
        <ins className={styles.whole}>
          <Whole text={change.text} />
        </ins>
      )
    case 'removed':
      return (
        <del className={styles.whole}>
          <Whole text={change.text} isGone />
        </del>
      )
    default:
      return <Whole text={change.text} />
  }
})

/** A passage of which every word stands alike. */
function Whole({ text, isGone = false }: { text: string; isGone?: boolean }) {
  const depth = depthOf(text)
  const drawn = <Markdown isDocument>{text.trimStart()}</Markdown>
  return <OfVersion isGone={isGone}>{depth > 0 ? <div data-depth={depth}>{drawn}</div> : drawn}</OfVersion>
}

const POINTS: ReadonlySet<string> = new Set(['•', '◦'])

/** Words in the look of their passage. */
function Looking({
  passage: { look, level, mark, depth },
  children,
}: {
  passage: Passage
  children: ReactNode
}) {
  switch (look) {
    case 'heading':
      return (
        <p className={styles.heading} data-level={level}>
          {children}
        </p>
      )
    case 'item':
      if (mark && POINTS.has(mark))
        return (
          <ul className={styles.points} data-depth={depth || undefined}>
            <li>{children}</li>
          </ul>
        )
      return (
        <p className={styles.item} data-depth={depth || undefined}>
          <span>{mark}</span>
          <span>{children}</span>
        </p>
      )
    case 'quote':
      return <blockquote className={styles.passage}>{children}</blockquote>
    case 'code':
      return <pre className={styles.passage}>{children}</pre>
    default:
      return (
        <p className={styles.passage} data-depth={depth || undefined}>
          {children}
        </p>
      )
  }
}
