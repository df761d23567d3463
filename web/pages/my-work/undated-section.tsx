import type { InfiniteData } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Output } from '../../client/calls.ts'
import { rowsOf } from '../../client/use-pages.ts'
import { Section } from '../../components/section.tsx'
import { myWork as words } from '../../copy/my-work.ts'
import { COUNTED_AT_MOST } from './due-section.tsx'
import styles from './my-work.module.css'
import { WorkRow } from './work-row.tsx'

/** Work that is due on no day. */
export function UndatedSection({
  work,
  more,
}: {
  work: InfiniteData<Output<'listUndatedWork'>>
  more: ReactNode
}) {
  const { title, text } = words.undated
  return (
    <Section title={`${title} ${words.count(work.pages[0]!.count, COUNTED_AT_MOST)}`} text={text}>
      <ul className={styles.rows} aria-label={title}>
        {rowsOf(work).map((one) => (
          <WorkRow key={one.id} one={one} />
        ))}
      </ul>
      {more}
    </Section>
  )
}
