import { Button, Group, List, Modal, Radio, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callsOf } from '../../model/calls.ts'
import type { DescribedKind } from '../../model/described-kind.ts'
import { nameOf } from '../../model/roles.ts'
import { call, type Output } from '../client/calls.ts'
import { fieldsOf } from '../client/fields.ts'
import { kindOf } from '../client/journal.ts'
import { queries } from '../client/queries.ts'
import { type AnyRecord, countAgain, readRecordsAgain } from '../client/records.ts'
import { buttons } from '../copy/buttons.ts'
import { merge as words } from '../copy/merge.ts'
import { registerWords } from '../copy/records.ts'
import { useGuardedCall } from './identity-guard.tsx'
import { type Named, sourceOf } from './picker.tsx'
import { ProblemAlert } from './problem-alert.tsx'
import { PickInput } from './record-form/pick-input.tsx'

type Plan = Output<'previewVendorMerge'>

/**
 * Makes one record of two: asks which stays, says what becomes of the other and of what points at it, and does it.
 * @param records one or both; the other is chosen here
 * @param merged with the one that stays, and the one that is gone
 */
export function MergeDialog({
  kind,
  records,
  merged,
  close,
}: {
  kind: DescribedKind
  records: readonly [AnyRecord, ...AnyRecord[]]
  merged?: (kept: string, gone: string) => void
  close: () => void
}) {
  const [first] = records
  const [second, setSecond] = useState<AnyRecord | null>(records[1] ?? null)
  const [keptId, setKeptId] = useState<string | null>(null)
  const both = second ? [first, second] : [first]
  // The one that is known longer, unless somebody says otherwise.
  const [older] = both.toSorted((one, other) => (one.createdAt < other.createdAt ? -1 : 1)) as [AnyRecord]
  const kept = both.find(({ id }) => id === keptId) ?? older
  const gone = both.find(({ id }) => id !== kept.id)
  const plan = useQuery({
    queryKey: ['previewVendorMerge', kept.id, gone?.id],
    queryFn: () => call('previewVendorMerge', { id: kept.id, from: gone!.id }),
    enabled: gone !== undefined,
    staleTime: 0,
  })
  const guarded = useGuardedCall()
  const acting = useMutation({
    mutationFn: async ({ kept, gone }: Plan) => {
      const versions = { ifMatch: kept.version, fromVersion: gone.version }
      await guarded('mergeVendor', { id: kept.id, from: gone.id, ...versions })
    },
    onSuccess: (_, { kept, gone }) => {
      close()
      merged?.(kept.id, gone.id)
      const { get, history } = callsOf(kind)
      queries.removeQueries({ queryKey: [get, { id: gone.id }] })
      for (const read of [get, history]) void queries.invalidateQueries({ queryKey: [read] })
      void readRecordsAgain(kind)
      void countAgain(kind)
    },
    // Somebody changed one of them: what would happen is read again, and asked again.
    onError: () => void plan.refetch(),
  })
  return (
    <Modal opened onClose={close} title={words.title(kind.noun)} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          if (plan.data && !acting.isPending) acting.mutate(plan.data)
        }}
      >
        <Stack>
          {records.length === 1 && <Other kind={kind} first={first} second={second} choose={setSecond} />}
          {second && (
            <Radio.Group
              label={words.stays}
              description={words.staysText}
              value={kept.id}
              onChange={(id) => {
                setKeptId(id)
                acting.reset()
              }}
            >
              <Stack gap={6} mt="xs">
                {both.map((one) => (
                  <Radio
                    key={one.id}
                    value={one.id}
                    label={
                      <>
                        {one.reference} <bdi>{nameOf(kind, one)}</bdi>
                      </>
                    }
                  />
                ))}
              </Stack>
            </Radio.Group>
          )}
          <ProblemAlert error={plan.error ?? acting.error} />
          {gone && <Told kind={kind} plan={plan.data} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {buttons.cancel}
            </Button>
            <Button type="submit" color="red" disabled={!plan.data} loading={acting.isPending}>
              {gone ? words.submit(gone.reference, kept.reference) : words.button}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function Other({
  kind,
  first,
  second,
  choose,
}: {
  kind: DescribedKind
  first: AnyRecord
  second: AnyRecord | null
  choose: (record: AnyRecord | null) => void
}) {
  const source = sourceOf(kind.idPrefix)
  const others = {
    ...source,
    find: async (q: string) => (await source.find(q)).filter(({ id }) => id !== first.id),
  }
  const title = words.other(kind.noun)
  const field = { ...fieldsOf(kind).get(kind.named)!, name: 'from', title, description: words.otherText }
  return (
    <PickInput<Named>
      field={field}
      chosen={second && `${second.reference} ${nameOf(kind, second)}`}
      empty={words.otherText}
      picker={{ source: others, nothing: '', choose: (found) => choose(found?.record ?? null) }}
    />
  )
}

/** What will happen, in the order in which somebody would be sorry for it. */
function Told({ kind, plan }: { kind: DescribedKind; plan: Plan | undefined }) {
  if (!plan) return <Skeleton height={96} />
  const { kept, gone, pointing, linked, filled } = plan
  const titles = filled.map((name) => fieldsOf(kind).get(name)?.title ?? name)
  const wordsOf = (type: string) => {
    const other = kindOf(type)
    return other ? registerWords(other) : { one: type, many: type }
  }
  const moves = linked.filter(({ count }) => count > 0)
  return (
    <Stack gap={6} role="region" aria-label={words.plan}>
      <Text size="sm" fw={500}>
        {words.plan}
      </Text>
      <List size="sm" spacing={4} m={0}>
        <List.Item>{words.goes(gone.reference)}</List.Item>
        {pointing.map(({ type, count }) => (
          <List.Item key={type}>
            {words.points(count, wordsOf(type).one, wordsOf(type).many, kept.reference)}
          </List.Item>
        ))}
        {moves.map(({ type, count, known }) => (
          <List.Item key={`link ${type}`}>
            {words.linked(count, known, wordsOf(type).one, wordsOf(type).many, kept.reference)}
          </List.Item>
        ))}
        {pointing.length + moves.length === 0 && <List.Item>{words.nothingMoves}</List.Item>}
        <List.Item>
          {titles.length > 0 ? words.fills(titles, kept.reference) : words.fillsNothing(kept.reference)}
        </List.Item>
      </List>
      <Text size="sm" c="dimmed">
        {words.cannotUndo}
      </Text>
    </Stack>
  )
}
