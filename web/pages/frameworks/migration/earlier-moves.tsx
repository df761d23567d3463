import { Button, Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call, type Output } from '../../../client/calls.ts'
import { kindIndex } from '../../../client/kinds.ts'
import { readRecordsAgain } from '../../../client/records.ts'
import { readAgain } from '../../../client/use-answer.ts'
import { DangerDialog } from '../../../components/danger-dialog.tsx'
import { type Column, DataTable } from '../../../components/data-table.tsx'
import { useGuardedCall } from '../../../components/identity-guard.tsx'
import { Moment } from '../../../components/moment.tsx'
import { Section } from '../../../components/section.tsx'
import { frameworkMigration } from '../../../copy/framework-migration.ts'

const words = frameworkMigration.earlier
const OFTEN = 700

type Move = Output<'listFrameworkMigrations'>['data'][number]

const isUnderWay = ({ stage, job }: Move): boolean =>
  (stage === 'applying' || stage === 'undoing') && job?.endedAt === null

/** The moves from and to a framework, each with what it came to, and the way to undo it. */
export function EarlierMoves({ id, names }: { id: string; names: ReadonlyMap<string, string> }) {
  const { data } = useQuery({
    queryKey: ['listFrameworkMigrations', { id }],
    queryFn: () => call('listFrameworkMigrations', { id }),
    refetchInterval: ({ state: { data } }) => (data?.data.some(isUnderWay) ? OFTEN : false),
  })
  const [undoing, setUndoing] = useState<Move | null>(null)
  const moves = data?.data ?? []
  usePlansReadAgain(moves.some(isUnderWay))
  if (moves.length === 0) return null
  const nameOf = (other: string | null) => (other === null ? words.gone : (names.get(other) ?? words.gone))
  const columns: Column<Move>[] = [
    {
      label: words.columns.what,
      cell: ({ fromId, toId }) => (toId === id ? words.from(nameOf(fromId)) : words.into(nameOf(toId))),
    },
    {
      label: words.columns.when,
      cell: ({ appliedAt, createdAt }) => <Moment at={appliedAt ?? createdAt} />,
    },
    { label: words.columns.by, cell: ({ createdBy }) => <bdi>{createdBy.displayName}</bdi> },
    { label: words.columns.came, cell: cameOf },
    {
      label: words.columns.acts,
      hidden: true,
      cell: (move) =>
        canBeUndone(move) && (
          <Button variant="default" size="compact-sm" onClick={() => setUndoing(move)}>
            {frameworkMigration.undo.button}
          </Button>
        ),
    },
  ]
  return (
    <Section title={words.title}>
      <DataTable
        label={words.title}
        columns={columns}
        rows={moves}
        isOver={({ stage }) => stage === 'undone'}
      />
      {undoing && <Undo move={undoing} name={nameOf(undoing.toId)} close={() => setUndoing(null)} />}
    </Section>
  )
}

/** Once a move is over, what there is to move is something else, and so are the requirements. */
function usePlansReadAgain(isMoving: boolean): void {
  const was = useRef(isMoving)
  useEffect(() => {
    if (was.current && !isMoving) {
      void readAgain('planFrameworkMigration')
      void readRecordsAgain(kindIndex.requirement)
      void readRecordsAgain(kindIndex.framework)
    }
    was.current = isMoving
  }, [isMoving])
}

const canBeUndone = (move: Move): boolean =>
  (move.stage === 'applied' || (move.stage === 'undoing' && !isUnderWay(move))) &&
  move.undoUntil !== null &&
  Date.parse(move.undoUntil) > Date.now()

function cameOf(move: Move) {
  const { stage, result, job } = move
  if (isUnderWay(move)) return stage === 'undoing' ? frameworkMigration.undoing : frameworkMigration.moving
  if (stage === 'applying') return frameworkMigration.failed(job?.failure ?? null)
  if (stage === 'undone') return words.undone
  return result && words.came(result.changed, result.linked)
}

function Undo({ move, name, close }: { move: Move; name: string; close: () => void }) {
  const guarded = useGuardedCall()
  const { undo } = frameworkMigration
  const [isRefused, setIsRefused] = useState(false)
  const [keepChanged, setKeepChanged] = useState(false)
  return (
    <DangerDialog
      title={undo.title(name)}
      text={undo.text(move.result?.changed ?? 0)}
      verb={undo.verb}
      close={close}
      act={() =>
        guarded('undoFrameworkMigration', { id: move.id, keepChanged })
          .catch((error: unknown) => {
            setIsRefused(true)
            throw error
          })
          .then(() => readAgain('listFrameworkMigrations'))
      }
    >
      {isRefused && (
        <Checkbox
          label={undo.keep}
          checked={keepChanged}
          onChange={({ currentTarget }) => setKeepChanged(currentTarget.checked)}
        />
      )}
    </DangerDialog>
  )
}
