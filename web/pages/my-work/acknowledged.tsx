import { Button } from '@mantine/core'
import { useState } from 'react'
import { useAnswer } from '../../client/use-answer.ts'
import { AppLink } from '../../components/app-link.tsx'
import { Moment } from '../../components/moment.tsx'
import { Section } from '../../components/section.tsx'
import { toRead } from '../../copy/to-read.ts'
import styles from './my-work.module.css'

const words = toRead.said

/** Of a list that only grows, what is seen at once. */
const SHOWN_FIRST = 5

/** What they acknowledged, to be read again; nothing, where that is nothing. */
export function Acknowledged() {
  const { data } = useAnswer('listMyAttestations', { acknowledged: true })
  const [isWhole, setIsWhole] = useState(false)
  if (!data || data.data.length === 0) return null
  const shown = isWhole ? data.data : data.data.slice(0, SHOWN_FIRST)
  const left = data.data.length - shown.length
  return (
    <Section title={words.title} text={words.text}>
      <ul className={styles.rows} aria-label={words.title}>
        {shown.map(({ id, title, version, acknowledgedAt, laterVersion }) => (
          <li key={id} className={styles.row} data-plain>
            <span className={styles.date}>{acknowledgedAt && <Moment at={acknowledgedAt} />}</span>
            <span className={styles.named}>
              <AppLink href={`/to-read/${id}`} className={styles.title}>
                <bdi>{title}</bdi>
              </AppLink>
            </span>
            <span className={styles.what}>{toRead.version(version)}</span>
            <span className={styles.what}>{laterVersion && words.later(laterVersion)}</span>
          </li>
        ))}
      </ul>
      {left > 0 && (
        <Button variant="subtle" size="compact-sm" onClick={() => setIsWhole(true)}>
          {words.more(left)}
        </Button>
      )}
    </Section>
  )
}
