import { Text } from '@mantine/core'
import type { Field } from '../../client/fields.ts'
import type { AnyRecord } from '../../client/records.ts'
import { percentOf, ShareBar, sharesOf } from '../../components/share-bar.tsx'
import { frameworks } from '../../copy/frameworks.ts'
import styles from './frameworks.module.css'

const words = frameworks.progress

/** How far a framework is: in a hundred, and as a bar of what its requirements have come to. */
export function FrameworkProgress({ field, framework }: { field: Field; framework: AnyRecord }) {
  const shares = sharesOf(field, framework[field.name] as object)
  const percent = percentOf(shares)
  return (
    <section aria-label={words.title} className={styles.progress}>
      <p className={styles.percent}>
        <b>{words.percent(percent)}</b> {percent !== null && words.compliant}
      </p>
      <div className={styles.whole}>
        <ShareBar shares={shares} className={styles.wide} />
        <Text size="xs" c="dimmed" mt={4}>
          {words.scope(shares.reduce((sum, { count }) => sum + count, 0))}
        </Text>
      </div>
    </section>
  )
}
