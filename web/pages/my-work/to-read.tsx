import { useAnswer } from '../../client/use-answer.ts'
import { AppLink } from '../../components/app-link.tsx'
import { Day } from '../../components/day.tsx'
import { Section } from '../../components/section.tsx'
import { toRead } from '../../copy/to-read.ts'
import styles from './my-work.module.css'

const words = toRead.mine

/** Policies that ask for their acknowledgement; nothing, where none does. */
export function ToRead() {
  const { data } = useAnswer('listMyAttestations', {})
  if (!data || data.data.length === 0) return null
  return (
    <Section title={words.title} text={words.text}>
      <ul className={styles.rows} aria-label={words.title}>
        {data.data.map(({ id, title, version, dueDate, isOverdue }) => (
          <li key={id} className={styles.row} data-plain>
            <span className={styles.date} data-late={isOverdue || undefined}>
              <Day on={dueDate} />
            </span>
            <span className={styles.named}>
              <AppLink href={`/to-read/${id}`} className={styles.title}>
                <bdi>{title}</bdi>
              </AppLink>
            </span>
            <span className={styles.what}>{toRead.version(version)}</span>
            <span className={styles.what}>{isOverdue && words.late}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
