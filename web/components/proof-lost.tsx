import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { DescribedKind } from '../../model/described-kind.ts'
import { nameOf } from '../../model/roles.ts'
import { kindIndex } from '../client/kinds.ts'
import { type AnyRecord, mayDo, recordQuery } from '../client/records.ts'
import { useSignedIn } from '../client/session.ts'
import { archiving } from '../copy/archiving.ts'
import { NamedRecordLink } from './named-record-link.tsx'
import styles from './proof-lost.module.css'

const words = archiving.proof
const SHOWN = 10

/** The controls that evidence proves, before it does so no more; nothing of other kinds. */
export function ProofLost({ kind, record }: { kind: DescribedKind; record: AnyRecord }) {
  const { control } = kindIndex
  const signedIn = useSignedIn()
  const proves = kind.name === kindIndex.evidence.name && record.status === 'approved'
  const filters = { evidenceId: [record.id], implementationStatus: ['implemented'], unproven: [false] }
  const { data } = useQuery({
    ...recordQuery(control, 'list', { ...filters, limit: SHOWN }),
    enabled: proves && mayDo(control, 'read', signedIn),
  })
  if (!data || data.data.length === 0) return null
  return (
    <section>
      <Text size="sm">{words.lost}</Text>
      <ul className={styles.controls} aria-label={words.lost}>
        {data.data.map((one) => (
          <li key={one.id}>
            <NamedRecordLink
              kind={control}
              id={one.id}
              reference={one.reference}
              name={nameOf(control, one)}
            />
          </li>
        ))}
        {data.nextCursor !== null && <li>{words.more}</li>}
      </ul>
    </section>
  )
}
