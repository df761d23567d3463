import { Text } from '@mantine/core'
import { everyKind } from '../../../kinds/index.ts'
import { RecordLink } from '../../parts/record-link.tsx'
import { record } from '../../words/record.ts'
import { valueWord } from '../../words/records.ts'
import styles from './record.module.css'

const words = record.history

/** A link as the journal tells it. */
interface Told {
  id: string
  reference: string
  title: string
  role: string | null
}

/** With which record a link was made or ended, and as what. */
export function LinkChange({ type, from, to }: { type: string; from: unknown; to: unknown }) {
  const kind = everyKind.find(({ name }) => name === type)
  const [was, is] = [from as Told | null, to as Told | null]
  const linked = is ?? was
  if (!kind || !linked) return null
  const roles = [was?.role, is?.role].filter((role) => role !== null && role !== undefined)
  return (
    <div>
      <dt>{kind.title}</dt>
      <dd className={styles.to}>
        <RecordLink kind={kind} id={linked.id}>
          <Text span size="sm" c="dimmed">
            {linked.reference}
          </Text>{' '}
          <bdi>{linked.title}</bdi>
        </RecordLink>
        {roles.length > 0 && <span>{words.roles(roles.map((role) => valueWord(role)))}</span>}
      </dd>
    </div>
  )
}
