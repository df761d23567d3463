import { ActionIcon, Group, Menu, Stack, Title } from '@mantine/core'
import { IconDots, IconPrinter, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { callsOf } from '../../../model/calls.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { machineOf, nameOf } from '../../../model/roles.ts'
import type { CallName } from '../../client/calls.ts'
import { fieldsOf } from '../../client/fields.ts'
import { childKinds, kindIndex, parentKind, sidesOf } from '../../client/kinds.ts'
import { recordAddress } from '../../client/list-address.ts'
import { isProblem } from '../../client/problem.ts'
import { queries } from '../../client/queries.ts'
import { type AnyRecord, mayDo, readRecordsAgain } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { CopyableText } from '../../components/copyable-text.tsx'
import { DangerDialog } from '../../components/danger-dialog.tsx'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { NameOfId } from '../../components/name-of-id.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { RecordLink } from '../../components/record-link.tsx'
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
      <Ratings kind={kind} edits={edits} editable={editable} />
      <Suspense>
        {kind.name === kindIndex.risk.name && <AcceptanceNotices risk={record} />}
        {kind.name === kindIndex.risk_acceptance.name && <OwnRating acceptance={record as Acceptance} />}
      </Suspense>
      <dl className={styles.standing}>
        {standingFields(kind).map((field) => (
          <div key={field}>
            <dt title={fields.get(field)!.description}>{fields.get(field)!.title}</dt>
            <dd>
              {machineOf(kind, field) ? (
                <StateMenu kind={kind} machine={machineOf(kind, field)!} edits={edits} editable={editable} />
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

/** The record that this one is under; none where it is under no other. */
const parentIn = ({ under }: DescribedKind, record: AnyRecord): string | null =>
  under ? ((record[under.field] as string | null) ?? null) : null

function MoreMenu({ kind, edits }: { kind: DescribedKind; edits: Edits }) {
  const signedIn = useSignedIn()
  const [isDeleting, setIsDeleting] = useState(false)
  const navigate = useNavigate()
  const guarded = useGuardedCall()
  const { id, version, reference } = edits.shown
  const above = parentIn(kind, edits.shown)
  const goes = childKinds(kind).filter(({ under }) => under!.withParent === 'delete')
  // Who is told that others are linked with it may have them unlinked with it.
  const [force, setForce] = useState<{ force?: 'unlink' }>({})
  const isHeld = sidesOf(kind).some(({ relation, writes }) => relation.holds && !writes)
  const remove = async () => {
    try {
      await guarded(callsOf(kind).delete as CallName, { id, ifMatch: version, ...force } as never)
    } catch (error) {
      if (isHeld && isProblem(error, 'referenced')) setForce({ force: 'unlink' })
      throw error
    }
    const up = parentKind(kind)
    await navigate({ to: (above && up ? recordAddress(up, above) : `/${kind.page}`) as '/' })
    queries.removeQueries({ queryKey: [callsOf(kind).get, { id }] })
    for (const one of [kind, ...goes]) void readRecordsAgain(one)
  }
  return (
    <>
      <Menu position="bottom-end" shadow="sm">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={words.more} className={styles.more}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown miw={160}>
          <Menu.Item leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => print()}>
            {words.print}
          </Menu.Item>
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
      {isDeleting && (
        <DangerDialog
          title={words.deletion.title(reference)}
          text={[
            words.deletion.text(nameOf(kind, edits.shown)),
            ...goes.map((child) => words.deletion.goes(registerWords(child).many)),
            ...(kind.signals.includes('deleted') ? [words.deletion.told] : []),
          ].join(' ')}
          verb={force.force ? words.deletion.unlinked(kind.noun) : words.deletion.submit(kind.noun)}
          act={remove}
          close={() => {
            setForce({})
            setIsDeleting(false)
          }}
        />
      )}
    </>
  )
}
