import { Alert, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RiskMatrix } from '../../../../model/risk-matrix.ts'
import type { Level } from '../../../../model/scales.ts'
import { call, type Output } from '../../../client/calls.ts'
import { fieldsOf } from '../../../client/fields.ts'
import { kindIndex } from '../../../client/kinds.ts'
import { useKind } from '../../../client/use-kind.ts'
import { DataTable } from '../../../components/data-table.tsx'
import { LevelMark } from '../../../components/level-mark.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { countWord } from '../../../copy/counts.ts'
import { matrixEditor } from '../../../copy/matrix-editor.ts'

const words = matrixEditor.dialog

type Moves = Output<'previewRiskMatrix'>

/** What a change would move, before it is applied. */
export function Review({
  draft,
  apply,
  close,
}: {
  draft: RiskMatrix
  apply: (reason: string) => Promise<unknown>
  close: () => void
}) {
  const [reason, setReason] = useState('')
  const moves = useQuery({
    queryKey: ['previewRiskMatrix', draft],
    queryFn: () => call('previewRiskMatrix', draft as object),
    staleTime: 0,
  })
  const applying = useMutation({ mutationFn: () => apply(reason.trim()), onSuccess: close })
  return (
    <Modal opened onClose={close} title={words.title} size="lg">
      <Stack>
        <Loaded query={moves} lines={4}>
          {(data) => <Told moves={data} draft={draft} />}
        </Loaded>
        <Text size="sm" c="dimmed">
          {words.ends}
        </Text>
        <Textarea
          label={words.reason}
          description={words.reasonHint}
          maxLength={2_000}
          autosize
          minRows={2}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <ProblemAlert error={applying.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {words.back}
          </Button>
          <Button disabled={!moves.data} loading={applying.isPending} onClick={() => applying.mutate()}>
            {words.apply}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function Told({
  moves: { moves, aboveAppetite, acceptancesEnded },
  draft,
}: {
  moves: Moves
  draft: RiskMatrix
}) {
  const kinds = { risk: useKind(kindIndex.risk), risk_treatment: useKind(kindIndex.risk_treatment) }
  const level = (one: Level | null) =>
    one === null ? words.unrated : <LevelMark level={one} style={draft.levels[one]} />
  const titleOf = (kind: string, field: string) =>
    fieldsOf(kinds[kind as keyof typeof kinds]).get(field)?.title ?? field
  return (
    <>
      {moves.length === 0 ? (
        <Text size="sm">{words.none}</Text>
      ) : (
        <DataTable
          label={words.moves}
          rows={moves.map((move) => ({ ...move, id: `${move.kind} ${move.field} ${move.from} ${move.to}` }))}
          columns={[
            { label: words.rating, cell: ({ kind, field }) => titleOf(kind, field) },
            { label: words.from, cell: ({ from }) => level(from) },
            { label: words.to, cell: ({ to }) => level(to) },
            { label: words.count, cell: ({ count }) => countWord(count) },
          ]}
        />
      )}
      {aboveAppetite
        .filter(({ before, after }) => before > 0 || after > 0)
        .map(({ kind, before, after }) => (
          <Text key={kind} size="sm">
            {words.above(before, after)}
          </Text>
        ))}
      {acceptancesEnded > 0 && (
        <Alert color="yellow" title={words.ending(acceptancesEnded)}>
          {words.endingText}
        </Alert>
      )}
    </>
  )
}
