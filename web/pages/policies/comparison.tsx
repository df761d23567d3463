import { Button, Stack, Text } from '@mantine/core'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { Pictures } from '../../client/pictures.ts'
import { ForeignText } from '../../components/foreign-text.tsx'
import { Markdown, Shown } from '../../components/markdown.tsx'
import { policies } from '../../copy/policies.ts'
import { cellsOf, isRow, type Passage, type ReadChange } from './as-read.ts'
import styles from './policies.module.css'
import { useComparison, useDrawnOf } from './use-comparison.ts'
import { comparedTexts, type Version } from './version.ts'

const words = policies.compare

/** So many unchanged passages stand around each change; the rest is folded. */
const AROUND = 1

/** What changed from one version to another, by word, as it is read. */
export function Comparison({
  from,
  to,
  fill,
  label = words.label(from.label, to.label),
}: {
  from: Version
  to: Version
  /** Fills the placeholders of what is written, alike in both. */
  fill?: (content: string) => string
  label?: string
}) {
  const [before, after] = comparedTexts(from, to, fill)
  const comparison = useComparison(before, after)
  const parts = useMemo(() => foldedIn(comparison?.changes ?? []), [comparison])
  const { drawn, more } = useDrawnOf(parts.length)
  const told = useMemo(() => comparison && toldOf(comparison.changes), [comparison])
  return (
    <article className={styles.sheet} aria-label={label} aria-busy={!comparison}>
      <Stack gap="sm" className={styles.compared}>
        <Text size="sm" c="dimmed" role="status">
          {told ?? words.comparing}
        </Text>
        {comparison?.isCoarse && <Text size="sm">{words.coarse}</Text>}
        <Compared value={{ before: from.id, after: to.id }}>
          {parts
            .slice(0, drawn)
            .map(({ at, some }) =>
              some.length === 1 && some[0]!.type !== 'same' ? (
                <ChangeOf key={at} change={some[0]!} />
              ) : (
                <Unchanged key={at} some={some} />
              ),
            )}
        </Compared>
        {more && (
          <p className={styles.fold}>
            <Button variant="subtle" size="compact-xs" onClick={more}>
              {words.more(parts.length - drawn)}
            </Button>
          </p>
        )}
      </Stack>
    </article>
  )
}

function toldOf(changes: readonly ReadChange[]): string {
  const count = { same: 0, added: 0, removed: 0, moved_here: 0, moved_away: 0, changed: 0, reformatted: 0 }
  for (const { type } of changes) count[type] += 1
  return count.same === changes.length
    ? words.same
    : words.counts(count.changed, count.added, count.removed, count.moved_here, count.reformatted)
}

/** Changes one by one, and what is unchanged between them in runs. */
function foldedIn(changes: readonly ReadChange[]): { at: number; some: readonly ReadChange[] }[] {
  const parts: { at: number; some: ReadChange[] }[] = []
  changes.forEach((change, at) => {
    const last = parts.at(-1)
    if (change.type === 'same' && last?.some.at(0)?.type === 'same') last.some.push(change)
    else parts.push({ at, some: [change] })
  })
  return parts
}

function Unchanged({ some }: { some: readonly ReadChange[] }) {
  const [isOpen, setIsOpen] = useState(some.length <= 2 * AROUND + 1)
  if (isOpen)
    return some.map((change, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: passages have no names
      <ChangeOf key={at} change={change} />
    ))
  return (
    <>
      <ChangeOf change={some[0]!} />
      <p className={styles.fold}>
        <Button variant="subtle" size="compact-xs" onClick={() => setIsOpen(true)}>
          {words.unchanged(some.length - 2 * AROUND)}
        </Button>
      </p>
      <ChangeOf change={some.at(-1)!} />
    </>
  )
}

function ChangeOf({ change }: { change: ReadChange }) {
  switch (change.type) {
    case 'changed':
      return (
        <Looking passage={change.passage}>
          {change.words.map(({ type, text }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: words have no names
            <Marked key={at} type={type} text={text} />
          ))}
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
}

const NOTES = { moved_here: words.movedHere, moved_away: words.movedAway, reformatted: words.reformatted }

/** A passage of which every word stands alike. */
function Whole({ text, isGone = false }: { text: string; isGone?: boolean }) {
  const compared = useContext(Compared)!
  if (isRow(text))
    return (
      <p className={styles.row}>
        {cellsOf(text).map((cell, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: cells have no names
          <span key={at}>
            <ForeignText>{cell}</ForeignText>
          </span>
        ))}
      </p>
    )
  return (
    <Pictures value={{ of: 'version', id: isGone ? compared.before : compared.after }}>
      <Markdown isDocument>{text}</Markdown>
    </Pictures>
  )
}

/** Words in the look of their passage. */
function Looking({ passage: { look, level, mark }, children }: { passage: Passage; children: ReactNode }) {
  switch (look) {
    case 'heading':
      return (
        <p className={styles.heading} data-level={level}>
          {children}
        </p>
      )
    case 'item':
      return (
        <p className={styles.item}>
          <span>{mark}</span>
          <span>{children}</span>
        </p>
      )
    case 'quote':
      return <blockquote className={styles.passage}>{children}</blockquote>
    case 'code':
      return <pre className={styles.passage}>{children}</pre>
    default:
      return <p className={styles.passage}>{children}</p>
  }
}

/** A picture in the words of a text, which the page has read as such: alike in what is compared word by word. */
const PICTURE = /(fil_[0-9a-z]{26})/

function Marked({ type, text }: { type: 'same' | 'added' | 'removed'; text: string }) {
  const parts = text.split(PICTURE)
  const words =
    parts.length === 1 ? (
      <ForeignText>{text}</ForeignText>
    ) : (
      parts.map((part, at) =>
        at % 2 === 1 ? (
          <ShownOf key={part} fileId={part} isGone={type === 'removed'} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: words have no names
          <ForeignText key={at}>{part}</ForeignText>
        ),
      )
    )
  return type === 'added' ? <ins>{words}</ins> : type === 'removed' ? <del>{words}</del> : words
}

/** Which version a picture is of: what is gone is held by the one before. */
const Compared = createContext<{ before: string; after: string } | null>(null)

function ShownOf({ fileId, isGone }: { fileId: string; isGone: boolean }) {
  const compared = useContext(Compared)!
  return (
    <Pictures value={{ of: 'version', id: isGone ? compared.before : compared.after }}>
      <Shown text={fileId} fileId={fileId} />
    </Pictures>
  )
}
