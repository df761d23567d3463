import { Button, Group, NativeSelect, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconBell } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { allowsRole, person, scope } from '../../../model/needs.ts'
import type { Input } from '../../client/calls.ts'
import { kindIndex } from '../../client/kinds.ts'
import { type AnyRecord, mayDo } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { rowsOf, usePages } from '../../client/use-pages.ts'
import { Chip } from '../../components/chip.tsx'
import { DangerDialog } from '../../components/danger-dialog.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Day, writtenDay } from '../../components/day.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { DatedMoment, Moment } from '../../components/moment.tsx'
import { MorePages } from '../../components/more-pages.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { acknowledgement } from '../../copy/acknowledgement.ts'
import { type Asked, LOOKS } from './asked.ts'
import { Audience } from './audience.tsx'
import { CameBack } from './came-back.tsx'
import { Certificate } from './certificate.tsx'
import { ExemptDialog } from './exempt-dialog.tsx'
import { GuestPasses } from './guest-passes.tsx'
import { useReminding } from './use-reminding.ts'
import { useVersionRounds } from './use-version-rounds.ts'

const words = acknowledgement.round

const ALL = 'all'

const SHOWN = {
  late: { overdue: true },
  open: { status: ['requested', 'viewed'] },
  acknowledged: { status: ['acknowledged'] },
  all: { status: ['requested', 'viewed', 'acknowledged', 'exempt'] },
  ended: { status: ['cancelled'] },
} satisfies Record<string, Partial<Input<'listAttestations'>>>

type Shown = keyof typeof SHOWN

/** Who was asked to acknowledge a policy, who is late, and what can be done about it. */
export function Round({ policy }: { policy: AnyRecord }) {
  const { id: policyId, currentVersionId, requiresAttestation } = policy
  const all = usePages('listAttestations', { policyId })
  const rounds = useVersionRounds(policy)
  const [version, setVersion] = useState<string | null>(null)
  const chosen =
    version === null
      ? rounds.find(({ isInForce }) => isInForce)
      : rounds.find(({ ids }) => ids.includes(version))
  const asked = useAnswer('listAttestations', {
    policyId: String(policyId),
    ...(chosen && { versionId: chosen.ids[0] }),
    limit: 1,
  })
  const { remind, reminding, told, error } = useReminding(String(policyId))
  const [isAsking, setIsAsking] = useState(false)
  const { role } = useSignedIn()
  const isRetired = policy.status === 'retired'
  const mayWrite = allowsRole(person('write:policies'), role) && !isRetired
  return (
    <Stack gap="md">
      <div>
        <Audience
          policy={policy}
          mayChange={allowsRole(scope('write:policies'), role) && !policy.archivedAt && !isRetired}
        />
      </div>
      <Loaded query={all} lines={6}>
        {(data) => {
          const { requested, viewed } = data.pages[0]!.counts
          if (rowsOf(data).length === 0)
            return requiresAttestation ? (
              <Text size="sm">{currentVersionId === null ? words.notYet : words.empty}</Text>
            ) : null
          const open = requested + viewed
          const counts = asked.data?.counts
          const of = chosen ?? rounds.find(({ isInForce }) => isInForce)
          return (
            <Stack gap="md">
              <Group justify="space-between" gap="sm" align="flex-end">
                <Group gap="sm" role="status">
                  {currentVersionId === null && !isRetired && <Text size="sm">{words.noneInForce}</Text>}
                  {of && counts && (
                    <>
                      <Text fw={600} size="lg">
                        {words.counts(counts, of)}
                      </Text>
                      {counts.overdue > 0 && <Chip look="bad">{words.late(counts.overdue)}</Chip>}
                      {counts.exempt > 0 && <Chip look="quiet">{words.exempted(counts.exempt)}</Chip>}
                    </>
                  )}
                </Group>
                <Group gap="xs" align="flex-end">
                  {rounds.length > 1 && (
                    <NativeSelect
                      size="xs"
                      label={words.version}
                      value={chosen?.ids[0] ?? ALL}
                      onChange={({ currentTarget }) => setVersion(currentTarget.value)}
                      data={[
                        ...rounds.map(({ ids, labels, isInForce }) => ({
                          value: ids[0]!,
                          label: words.ofVersion(labels, isInForce),
                        })),
                        { value: ALL, label: words.allVersions },
                      ]}
                    />
                  )}
                  {mayWrite && open > 0 && chosen?.isInForce !== false && (
                    <Button
                      variant="default"
                      size="compact-md"
                      leftSection={<IconBell size={14} aria-hidden />}
                      loading={reminding === null}
                      onClick={() => setIsAsking(true)}
                    >
                      {words.remind}
                    </Button>
                  )}
                  <Certificate policyId={policyId} versionId={chosen?.ids[0] ?? null} />
                </Group>
              </Group>
              {isAsking && (
                <DangerDialog
                  {...words.reminding}
                  title={words.reminding.title(open)}
                  isUndoable
                  act={async () => remind(null)}
                  close={() => setIsAsking(false)}
                />
              )}
              <ProblemAlert error={error} />
              {told && (
                <Text size="sm" role="status">
                  {told}
                </Text>
              )}
              <People
                policyId={policyId}
                versionId={chosen?.ids[0]}
                act={mayWrite && open > 0 ? { remind, reminding } : null}
              />
              {(chosen ? [chosen] : rounds).flatMap(({ ids, labels }) =>
                ids.map((id, at) => (
                  <GuestPasses
                    key={id}
                    recordId={id}
                    mayWrite={mayWrite}
                    version={id === currentVersionId ? null : labels[at]!}
                  />
                )),
              )}
            </Stack>
          )
        }}
      </Loaded>
    </Stack>
  )
}

/** Those who were asked, by how far they are and by what they are called. */
function People({
  policyId,
  versionId,
  act,
}: {
  policyId: string
  /** Of which, with its corrections, they were asked; left out: of any. */
  versionId: string | undefined
  act: Pick<ReturnType<typeof useReminding>, 'remind' | 'reminding'> | null
}) {
  const [shown, setShown] = useState<Shown>('all')
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), 150)
  const asked = usePages('listAttestations', {
    policyId,
    ...(versionId && { versionId }),
    ...SHOWN[shown],
    ...(q && { q }),
  })
  const [exempted, setExempted] = useState<Asked | null>(null)
  // Who may not know who they are does not look for them either.
  const maySearch = mayDo(kindIndex.personnel, 'read', useSignedIn())
  return (
    <>
      <Group gap="sm">
        <SegmentedControl
          aria-label={words.show}
          size="xs"
          value={shown}
          onChange={(value) => setShown(value as Shown)}
          data={Object.entries(words.shown).map(([value, label]) => ({ value, label }))}
        />
        {maySearch && (
          <TextInput
            type="search"
            size="xs"
            aria-label={words.search}
            placeholder={words.search}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        )}
      </Group>
      <Loaded query={asked} lines={6}>
        {(data) => {
          const rows = rowsOf(data)
          if (rows.length === 0) return <Text size="sm">{q ? words.noMatch : words.none[shown]}</Text>
          return (
            <>
              <DataTable
                label={words.title}
                rows={rows}
                columns={act ? [...COLUMNS, acts({ ...act, exempt: setExempted })] : COLUMNS}
              />
              <MorePages of={asked} />
            </>
          )
        }}
      </Loaded>
      {exempted && <ExemptDialog asked={exempted} close={() => setExempted(null)} />}
    </>
  )
}

const COLUMNS: readonly Column<Asked>[] = [
  {
    label: words.columns.person,
    cell: ({ person, signsIn }) => (
      <>
        {person ? <bdi>{person.name}</bdi> : words.hidden}
        <Text size="xs" c="dimmed">
          <bdi>{person?.department}</bdi>
          {person?.department && !signsIn && ' · '}
          {!signsIn && words.byLink}
        </Text>
      </>
    ),
  },
  {
    label: words.columns.status,
    cell: ({ status, isOverdue, link, mailFailure }) => (
      <>
        <Chip look={isOverdue ? 'bad' : LOOKS[status]}>
          {isOverdue ? `${words.states[status]}, ${words.isLate}` : words.states[status]}
        </Chip>
        {link && link !== 'open' && (
          <>
            {' '}
            <Chip look="quiet">{words.links[link]}</Chip>
          </>
        )}
        <CameBack failure={mailFailure} />
      </>
    ),
  },
  { label: words.columns.version, cell: ({ version }) => version },
  {
    label: words.columns.due,
    // How near it is matters while something is open.
    cell: ({ status, dueDate }) =>
      status === 'requested' || status === 'viewed' ? <Day on={dueDate} /> : writtenDay(dueDate),
  },
  { label: words.columns.last, cell: (asked) => <Latest {...asked} /> },
]

/** What happened last, and when. */
function Latest({
  acknowledgedAt,
  exemptReason,
  endedBecause,
  viewedAt,
  reminders,
  lastToldAt,
  requestedAt,
}: Asked): ReactNode {
  if (exemptReason) return <bdi>{exemptReason}</bdi>
  if (endedBecause) return words.endedBecause[endedBecause]
  if (acknowledgedAt)
    return (
      <>
        {words.latest.acknowledged} <DatedMoment at={acknowledgedAt} />
      </>
    )
  const [verb, at] = viewedAt
    ? [words.latest.viewed, viewedAt]
    : reminders > 0
      ? [words.told(reminders), lastToldAt]
      : [words.latest.requested, requestedAt]
  return (
    <>
      {verb} {at && <Moment at={at} />}
    </>
  )
}

const acts = ({
  exempt,
  remind,
  reminding,
}: {
  exempt: (asked: Asked) => void
} & Pick<ReturnType<typeof useReminding>, 'remind' | 'reminding'>): Column<Asked> => ({
  label: words.columns.acts,
  hidden: true,
  cell: (asked) => {
    if (asked.status !== 'requested' && asked.status !== 'viewed') return null
    const name = asked.person?.name ?? words.hidden
    return (
      <Group gap={0} wrap="nowrap">
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          aria-label={words.remindOne(name)}
          loading={reminding === asked.id}
          onClick={() => remind(asked.id)}
        >
          {words.remind}
        </Button>
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          aria-label={words.exemptOne(name)}
          onClick={() => exempt(asked)}
        >
          {words.exempt}
        </Button>
      </Group>
    )
  },
})
