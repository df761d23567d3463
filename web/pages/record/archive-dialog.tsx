import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { callsOf } from '../../../model/calls.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { archivingMachine, nameOf } from '../../../model/roles.ts'
import type { CallName } from '../../client/calls.ts'
import { spread } from '../../client/custom-values.ts'
import { childKinds } from '../../client/kinds.ts'
import { type AnyRecord, keepRecord, readRecordsAgain } from '../../client/records.ts'
import { DangerDialog } from '../../components/danger-dialog.tsx'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { ProofLost } from '../../components/proof-lost.tsx'
import { archiving as words } from '../../copy/archiving.ts'
import { counted } from '../../copy/counts.ts'
import { registerWords, valueWord } from '../../copy/records.ts'
import { dependentsQuery } from './dependents.ts'
import styles from './record.module.css'

/** Says what follows before a record is archived, with what goes along, or brought back. */
export function ArchiveDialog({
  kind,
  record,
  close,
}: {
  kind: DescribedKind
  record: AnyRecord
  close: () => void
}) {
  const guarded = useGuardedCall()
  const isArchived = record.archivedAt !== null
  const said = isArchived ? words.unarchive : words.archive
  const children = childKinds(kind)
  const dependents = useQuery({ ...dependentsQuery(kind, record.id), enabled: !isArchived })
  const going = isArchived
    ? []
    : (dependents.data?.data ?? []).flatMap(({ type, count, onDeletion }) => {
        const child = children.find(({ name }) => name === type)
        return child && count > 0 && onDeletion === 'deleted' ? [{ child, count }] : []
      })
  const machine = archivingMachine(kind)
  const act = async () => {
    const { archive, unarchive } = callsOf(kind)
    const call = (isArchived ? unarchive : archive) as CallName
    const after: unknown = await guarded(call, { id: record.id, ifMatch: record.version } as never)
    keepRecord(kind, spread(after) as AnyRecord)
    for (const one of [kind, ...children]) void readRecordsAgain(one)
  }
  return (
    <DangerDialog
      title={said.title(record.reference)}
      text={[
        said.text(nameOf(kind, record)),
        ...(machine ? [(isArchived ? words.state : words.comesBack)(valueWord(machine.archived.back))] : []),
      ].join(' ')}
      verb={said.submit(kind.noun)}
      isUndoable
      act={act}
      close={close}
    >
      <ProofLost kind={kind} record={record} />
      {going.length > 0 && (
        <section className={styles.dependents}>
          <Text size="sm">{words.goes}</Text>
          <ul aria-label={words.goes}>
            {going.map(({ child, count }) => (
              <li key={child.name}>{counted(count, registerWords(child).one, registerWords(child).many)}</li>
            ))}
          </ul>
        </section>
      )}
    </DangerDialog>
  )
}
