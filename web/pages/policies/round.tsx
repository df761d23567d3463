import { Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconBell } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { allowsRole, person, scope } from '../../../model/needs.ts'
import type { Input, Output } from '../../client/calls.ts'
import { kindIndex } from '../../client/kinds.ts'
import { type AnyRecord, mayDo } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { readAgain } from '../../client/use-answer.ts'
import { rowsOf, usePages } from '../../client/use-pages.ts'
import { Chip } from '../../components/chip.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Day } from '../../components/day.tsx'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { DatedMoment, Moment } from '../../components/moment.tsx'
import { MorePages } from '../../components/more-pages.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { policies } from '../../copy/policies.ts'
import { type Asked, LOOKS } from './asked.ts'
import { Audience } from './audience.tsx'
import { CameBack } from './came-back.tsx'
import { Certificate } from './certificate.tsx'
import { ExemptDialog } from './exempt-dialog.tsx'
import { GuestPasses } from './guest-passes.tsx'

const words = policies.round

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
  const { role } = useSignedIn()
  const mayWrite = allowsRole(person('write:policies'), role)
  return (
    <Stack gap="md">
      <div>
        <Audience
          policy={policy}
          mayChange={
            allowsRole(scope('write:policies'), role) && !policy.archivedAt && policy.status !== 'retired'
          }
        />
      </div>
      <Loaded query={all} lines={6}>
        {(data) => {
          const { counts } = data.pages[0]!
          if (rowsOf(data).length === 0)
            return requiresAttestation ? (
              <Text size="sm">{currentVersionId === null ? words.notYet : words.empty}</Text>
            ) : null
          const open = counts.requested + counts.viewed
          return (
            <Stack gap="md">
              <Group justify="space-between" gap="sm">
                <Group gap="sm" role="status">
                  {currentVersionId === null ? (
                    <Text size="sm">{words.noneInForce}</Text>
                  ) : (
                    <Text fw={600} size="lg">
                      {words.counts(counts.acknowledged, open + counts.acknowledged)}
                    </Text>
                  )}
                  {counts.overdue > 0 && <Chip look="bad">{words.late(counts.overdue)}</Chip>}
                  {counts.exempt > 0 && <Chip look="quiet">{words.exempted(counts.exempt)}</Chip>}
                </Group>
                <Group gap="xs">
                  {mayWrite && open > 0 && <Remind policyId={policyId} />}
                  <Certificate policy={policy} />
                </Group>
              </Group>
              <People policyId={policyId} mayExempt={mayWrite && open > 0} />
              {currentVersionId !== null && (
                <GuestPasses recordId={String(currentVersionId)} mayWrite={mayWrite} />
              )}
            </Stack>
          )
        }}
      </Loaded>
    </Stack>
  )
}

/** Those who were asked, by how far they are and by what they are called. */
function People({ policyId, mayExempt }: { policyId: string; mayExempt: boolean }) {
  const [shown, setShown] = useState<Shown>('all')
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), 150)
  const asked = usePages('listAttestations', { policyId, ...SHOWN[shown], ...(q && { q }) })
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
                columns={mayExempt ? [...COLUMNS, acts(setExempted)] : COLUMNS}
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
  { label: words.columns.due, cell: ({ dueDate }) => <Day on={dueDate} /> },
  { label: words.columns.last, cell: (asked) => <Latest {...asked} /> },
]

/** What happened last, and when. */
function Latest({
  acknowledgedAt,
  exemptReason,
  viewedAt,
  reminders,
  lastToldAt,
  requestedAt,
}: Asked): ReactNode {
  if (exemptReason) return <bdi>{exemptReason}</bdi>
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

const acts = (exempt: (asked: Asked) => void): Column<Asked> => ({
  label: words.columns.acts,
  hidden: true,
  cell: (asked) =>
    (asked.status === 'requested' || asked.status === 'viewed') && (
      <Button
        variant="subtle"
        color="gray"
        size="compact-xs"
        aria-label={words.exemptOne(asked.person?.name ?? words.hidden)}
        onClick={() => exempt(asked)}
      >
        {words.exempt}
      </Button>
    ),
})

/** Who was reached, as far as is known, and who was not so far. */
const told = ({ reminded, returned, toHandOver }: Output<'remindAttestations'>): string =>
  toHandOver > 0
    ? words.toHandOver(toHandOver)
    : [
        ...(returned.length < reminded || reminded === 0 ? [words.reminded(reminded - returned.length)] : []),
        ...(returned.length > 0 ? [words.returned(returned.map(({ name }) => name ?? words.hidden))] : []),
      ].join(' ')

function Remind({ policyId }: { policyId: string }) {
  const guarded = useGuardedCall()
  const reminding = useMutation({
    mutationFn: () => guarded('remindAttestations', { policyId }),
    onSuccess: () => readAgain('listAttestations'),
  })
  return (
    <>
      {reminding.data && (
        <Text size="sm" role="status">
          {told(reminding.data)}
        </Text>
      )}
      <ProblemAlert error={reminding.error} />
      <Button
        variant="default"
        size="compact-md"
        leftSection={<IconBell size={14} aria-hidden />}
        loading={reminding.isPending}
        onClick={() => reminding.mutate()}
      >
        {words.remind}
      </Button>
    </>
  )
}
