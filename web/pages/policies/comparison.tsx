import { type ReactNode, useMemo } from 'react'
import { compared as words } from '../../copy/compared.ts'
import { ComparedHead } from './compared-head.tsx'
import { ComparedTexts } from './compared-texts.tsx'
import type { PicturesCompared } from './marked.tsx'
import styles from './policies.module.css'
import { comparedTexts, type Version } from './version.ts'

/** What changed from one version to another. */
export function Comparison({
  from,
  to,
  fill,
  label = words.label(from.label, to.label),
  sides,
}: {
  from: Version
  to: Version
  /** Fills the placeholders of what is written, alike in both. */
  fill?: (content: string) => string
  label?: string
  /** What each of them is. */
  sides: readonly [ReactNode, ReactNode]
}) {
  const [before, after] = comparedTexts(from, to, fill)
  // The pictures of what is gone are held by the version before.
  const pictures = useMemo<PicturesCompared>(
    () => ({ before: { of: 'version', id: from.id }, after: { of: 'version', id: to.id } }),
    [from.id, to.id],
  )
  return (
    <article className={styles.sheet} aria-label={label}>
      <ComparedTexts
        before={before}
        after={after}
        pictures={pictures}
        head={<ComparedHead label={label} sides={sides} />}
      />
    </article>
  )
}
