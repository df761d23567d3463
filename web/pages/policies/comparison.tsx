import { Button, Stack, Text } from '@mantine/core'
import { createContext, useContext, useMemo, useState } from 'react'
import { Pictures } from '../../client/pictures.ts'
import { ForeignText } from '../../components/foreign-text.tsx'
import { Shown } from '../../components/markdown.tsx'
import { policies } from '../../copy/policies.ts'
import type { Change } from './compare.ts'
import styles from './policies.module.css'
import { useComparison, useDrawnOf } from './use-comparison.ts'
import { comparedTexts, type Version } from './version.ts'

const words = policies.compare

/** So many unchanged passages stand around each change; the rest is folded. */
const AROUND = 1

/** What changed from one version to another, by word. */
export function Comparison({
  from,
  to,
  label = words.label(from.label, to.label),
}: {
  from: Version
  to: Version
  label?: string
}) {
  const [before, after] = comparedTexts(from, to)
  const comparison = useComparison(before, after)
  const parts = useMemo(() => foldedIn(comparison?.changes ?? []), [comparison])
  const { drawn, more } = useDrawnOf(parts.length)
  const said = useMemo(() => comparison && saidOf(comparison.changes), [comparison])
  return (
    <article className={styles.sheet} aria-label={label} aria-busy={!comparison}>
      <Stack gap="sm" className={styles.compared}>
        <Text size="sm" c="dimmed" role="status">
          {said ?? words.comparing}
        </Text>
        {comparison?.isCoarse && <Text size="sm">{words.coarse}</Text>}
        <Compared value={{ before: from.id, after: to.id }}>
          {parts
            .slice(0, drawn)
            .map(({ at, some }) =>
              some.length === 1 && some[0]!.type !== 'same' ? (
                <Passage key={at} change={some[0]!} />
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

function saidOf(changes: readonly Change[]): string {
  const count = { same: 0, added: 0, removed: 0, moved_here: 0, moved_away: 0, changed: 0 }
  for (const { type } of changes) count[type] += 1
  return count.same === changes.length
    ? words.same
    : words.counts(count.added + count.changed, count.removed + count.changed, count.moved_here)
}

/** Changes one by one, and what is unchanged between them in runs. */
function foldedIn(changes: readonly Change[]): { at: number; some: readonly Change[] }[] {
  const parts: { at: number; some: Change[] }[] = []
  changes.forEach((change, at) => {
    const last = parts.at(-1)
    if (change.type === 'same' && last?.some.at(0)?.type === 'same') last.some.push(change)
    else parts.push({ at, some: [change] })
  })
  return parts
}

function Unchanged({ some }: { some: readonly Change[] }) {
  const [isOpen, setIsOpen] = useState(some.length <= 2 * AROUND + 1)
  if (isOpen)
    return some.map((change, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: passages have no names
      <Passage key={at} change={change} />
    ))
  return (
    <>
      <Passage change={some[0]!} />
      <p className={styles.fold}>
        <Button variant="subtle" size="compact-xs" onClick={() => setIsOpen(true)}>
          {words.unchanged(some.length - 2 * AROUND)}
        </Button>
      </p>
      <Passage change={some.at(-1)!} />
    </>
  )
}

function Passage({ change }: { change: Change }) {
  switch (change.type) {
    case 'changed':
      return (
        <p className={styles.passage}>
          {change.words.map(({ type, text }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: words have no names
            <Marked key={at} type={type} text={text} />
          ))}
        </p>
      )
    case 'moved_here':
    case 'moved_away':
      return (
        <p className={`${styles.passage} ${styles.moved} ${change.type === 'moved_away' ? styles.away : ''}`}>
          <Text span size="xs" fw={600}>
            {change.type === 'moved_here' ? words.movedHere : words.movedAway}
          </Text>
          {'\n'}
          <Marked type="same" text={change.text} />
        </p>
      )
    default:
      return (
        <p className={styles.passage}>
          <Marked type={change.type} text={change.text} />
        </p>
      )
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
