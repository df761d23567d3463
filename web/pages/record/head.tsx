import { ActionIcon, Alert, Group, Menu, Stack, Title } from '@mantine/core'
import { IconArchive, IconArchiveOff, IconDots, IconPrinter, IconTrash } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { machineOf, nameOf } from '../../../model/roles.ts'
import { fetchCode } from '../../client/fetch-code.ts'
import { fieldsOf } from '../../client/fields.ts'
import { kindIndex } from '../../client/kinds.ts'
import { type AnyRecord, mayDo } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { attentionOf, attentionWords } from '../../components/attention.ts'
import { CopyableText } from '../../components/copyable-text.tsx'
import { FactValue } from '../../components/fact-value.tsx'
import { Moment } from '../../components/moment.tsx'
import { NameOfId } from '../../components/name-of-id.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { RecordLink } from '../../components/record-link.tsx'
import { actorName } from '../../copy/journal.ts'
import { record as words } from '../../copy/record.ts'
import { registerWords } from '../../copy/records.ts'
import type { Acceptance } from '../risks/acceptance/acceptance.ts'
import { AcceptanceNotices, OwnRating } from '../risks/acceptance/later.ts'
import { FactBody } from './fact.tsx'
import { standingFields } from './head-fields.ts'
import { RecordOperations } from './operations.tsx'
import { Ratings } from './ratings.tsx'
import styles from './record.module.css'
import { StateMenu } from './state-menu.tsx'
import type { Edits } from './use-record-edits.ts'

const ArchiveDialog = lazy(() =>
  fetchCode(() => import('./archive-dialog.tsx')).then((code) => ({ default: code.ArchiveDialog })),
)
const DeleteDialog = lazy(() =>
  fetchCode(() => import('./delete-dialog.tsx')).then((code) => ({ default: code.DeleteDialog })),
)

/** What the record is called, how grave it is, and where it stands: its state, owner and date. */
export function RecordHead({
  kind,
  edits,
  editable,
}: {
  kind: DescribedKind
  edits: Edits
  editable: boolean
}) {
  const record = edits.shown
  const fields = fieldsOf(kind)
  const name = nameOf(kind, record)
  const above = parentIn(kind, record)
  return (
    <Stack gap={6} component="header" className={styles.head}>
      <PageTitle>{`${record.reference} ${name}`}</PageTitle>
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <Group gap="sm">
          <RecordLink kind={kind}>{registerWords(kind).title}</RecordLink>
          {above && <NameOfId id={above} />}
          <CopyableText>{record.reference}</CopyableText>
        </Group>
        <Group gap="xs" justify="flex-end">
          <RecordOperations kind={kind} record={record} />
          <MoreMenu kind={kind} edits={edits} />
        </Group>
      </Group>
      <div className={styles.title}>
        <FactBody kind={kind} field={fields.get(kind.named)!} edits={edits} editable={editable}>
          <Title order={1}>
            <bdi>{name}</bdi>
          </Title>
        </FactBody>
      </div>
      {record.archivedAt && <Archived record={record} at={record.archivedAt} />}
      <Why kind={kind} record={record} />
      <Ratings kind={kind} edits={edits} editable={editable} />
      <Suspense>
        {kind.name === kindIndex.risk.name && <AcceptanceNotices risk={record} />}
        {kind.name === kindIndex.risk_acceptance.name && <OwnRating acceptance={record as Acceptance} />}
      </Suspense>
      <dl className={styles.standing}>
        {standingFields(kind, record).map((field) => (
          <div key={field}>
            <dt title={fields.get(field)!.description}>{fields.get(field)!.title}</dt>
            <dd>
              {machineOf(kind, field) ? (
                <StateMenu
                  kind={kind}
                  machine={machineOf(kind, field)!}
                  edits={edits}
                  editable={editable && (!edits.isLeft || edits.mayChange(fields.get(field)!))}
                />
              ) : (
                <FactBody kind={kind} field={fields.get(field)!} edits={edits} editable={editable} />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Stack>
  )
}

/** Why it is in the state that it is in, and what it lacks there, where that is what somebody has to read first. */
function Why({ kind, record }: { kind: DescribedKind; record: AnyRecord }) {
  const told = kind.states.flatMap(({ field, because = {} }) => because[String(record[field])] ?? [])
  const asks = attentionOf(kind, record).filter(({ reason }) => reason !== null)
  return (
    <>
      {told
        .filter((field) => record[field] !== null)
        .map((field) => (
          <Alert key={field} color="red" variant="light" my="xs" title={fieldsOf(kind).get(field)!.title}>
            <FactValue kind={kind} field={fieldsOf(kind).get(field)!} record={record} />
          </Alert>
        ))}
      {asks.map((ask) => (
        <Alert key={ask.flag} color="yellow" variant="light" my="xs" p="xs">
          {attentionWords(kind, [ask])}
        </Alert>
      ))}
    </>
  )
}

/** Who archived it, unless it let go of something since, and what that means. */
function Archived({ record: { updatedAt, updatedBy }, at }: { record: AnyRecord; at: string }) {
  const isLast = Date.parse(updatedAt) - Date.parse(at) < SAME_WRITE_MS
  const who = isLast ? actorName(updatedBy as Parameters<typeof actorName>[0]) : null
  return (
    <Alert color="gray" variant="light" my="xs" p="xs">
      <b>{words.archiving.archived(who)}</b> <Moment at={at} />. {words.archiving.means}
    </Alert>
  )
}

/** The lock by which it was archived, and the write that followed. */
const SAME_WRITE_MS = 30_000

/** The record that this one is under; none where it is under no other. */
const parentIn = ({ under }: DescribedKind, record: AnyRecord): string | null =>
  under ? ((record[under.field] as string | null) ?? null) : null

function MoreMenu({ kind, edits }: { kind: DescribedKind; edits: Edits }) {
  const signedIn = useSignedIn()
  const [isDeleting, setIsDeleting] = useState(false)
  const [isArchiving, setIsArchiving] = useState(false)
  const isArchived = edits.shown.archivedAt !== null
  return (
    <>
      <Menu position="bottom-end" shadow="sm">
        <Menu.Target>
          <ActionIcon aria-label={words.more} className={styles.more}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown miw={160}>
          <Menu.Item leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => print()}>
            {words.print}
          </Menu.Item>
          {mayDo(kind, 'archive', signedIn) && (
            <Menu.Item
              leftSection={
                isArchived ? <IconArchiveOff size={16} aria-hidden /> : <IconArchive size={16} aria-hidden />
              }
              onClick={() => setIsArchiving(true)}
            >
              {isArchived ? words.archiving.unarchive : words.archiving.archive}
            </Menu.Item>
          )}
          {mayDo(kind, 'delete', signedIn) && (
            <Menu.Item
              color="var(--mantine-color-error)"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => setIsDeleting(true)}
            >
              {words.deletion.action}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isArchiving && (
        <Suspense>
          <ArchiveDialog kind={kind} record={edits.shown} close={() => setIsArchiving(false)} />
        </Suspense>
      )}
      {isDeleting && (
        <Suspense>
          <DeleteDialog kind={kind} record={edits.shown} close={() => setIsDeleting(false)} />
        </Suspense>
      )}
    </>
  )
}
