import { Anchor, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { callsOf } from '../../../model/calls.ts'
import { type CallName, call } from '../../client/calls.ts'
import { type Deadline, dayOf, isDay } from '../../client/deadlines.ts'
import { today, writtenTime } from '../../client/formats.ts'
import { kindOfId } from '../../client/kinds.ts'
import { Problem } from '../../client/problem.ts'
import { countAgain, mayDo, recordCall } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { readAgain } from '../../client/use-answer.ts'
import { writtenDay } from '../../components/day.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { calendar as words } from '../../copy/calendar.ts'
import styles from './calendar.module.css'
import { DayEntries } from './day-entries.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { useHolding } from './use-holding.ts'

const WEEKDAY = { weekday: 'short', timeZone: 'UTC' } as const
const NUMBER = { day: 'numeric', timeZone: 'UTC' } as const
const WHOLE = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' } as const

/** A month as a grid of its days, and on a telephone as a list of those on which something is due. */
export function MonthGrid({
  month,
  name,
  weeks,
  due,
  follow,
}: {
  month: string
  name: string
  weeks: string[][]
  due: readonly Deadline[]
  /** Shows the month of a day to which an entry went that is not in sight. */
  follow: (day: string) => void
}) {
  const signedIn = useSignedIn()
  const [asked, setAsked] = useState<Deadline | null>(null)
  const moving = useMutation({
    mutationFn: ({ of, to }: { of: Deadline; to: string; isBack?: true }) => move(of, to),
    onSuccess: (_, { to }) => {
      const day = dayOf({ date: to })
      if (!weeks.flat().includes(day)) follow(day)
    },
    onSettled: () => readAgain('listDeadlines'),
  })
  const byDay = Map.groupBy(due, dayOf)
  const now = today()
  const isMovable = (one: Deadline): boolean => {
    const kind = kindOfId(one.id)
    if (kind === undefined || 'follows' in kind.deadlines[one.deadline]!) return false
    return isDay(one) && mayDo(kind, 'update', signedIn)
  }
  const left = useRef<string | null>(null)
  const { held, grid, takes } = useHolding(({ one, to }) => {
    left.current = `${one.id} ${one.deadline}`
    moving.mutate({ of: one, to })
  }, setAsked)
  // Whoever leads an entry by keys stays with it where it is drawn anew.
  useEffect(() => {
    if (!left.current || document.activeElement !== document.body || due.length === 0) return
    grid.current?.querySelector<HTMLElement>(`[data-entry="${left.current}"]`)?.focus()
    left.current = null
  }, [due, grid])
  const moved = moving.isSuccess ? moving.variables : null
  return (
    <>
      <ProblemAlert error={moving.error} />
      <Text size="sm" role="status">
        {held && words.holding(held.one.reference ?? held.one.title, writtenTime(new Date(held.to), WHOLE))}
        {!held && !moved && due.some(isMovable) && <span className={styles.hint}>{words.hint}</span>}
        {!held && moved && (
          <>
            {words.moved(moved.of.reference ?? moved.of.title, writtenDay(moved.to))}{' '}
            {!moved.isBack && (
              <Anchor
                component="button"
                type="button"
                size="sm"
                onClick={() =>
                  moving.mutate({ of: { ...moved.of, date: moved.to }, to: moved.of.date, isBack: true })
                }
              >
                {words.undo}
              </Anchor>
            )}
          </>
        )}
      </Text>
      {due.length === 0 && <Text size="sm">{words.nothing}</Text>}
      {/* biome-ignore lint/a11y/useSemanticElements: a table of seven columns would be read out cell by cell */}
      <div
        ref={grid}
        className={styles.month}
        data-holding={held !== null || undefined}
        role="group"
        aria-label={words.month(name)}
      >
        {weeks[0]!.map((day) => (
          <div key={day} className={styles.weekday} aria-hidden>
            {writtenTime(new Date(day), WEEKDAY)}
          </div>
        ))}
        {weeks.flat().map((day) => {
          const entries = byDay.get(day) ?? []
          return (
            <section
              key={day}
              aria-label={writtenTime(new Date(day), WHOLE)}
              className={styles.day}
              data-other={!day.startsWith(month) || undefined}
              data-today={day === now || undefined}
              data-empty={entries.length === 0 || undefined}
              data-day={day}
              data-over={held?.to === day || undefined}
            >
              <div className={styles.number} aria-hidden>
                <span className={styles.name}>{writtenTime(new Date(day), WHOLE)}</span>
                <span className={styles.figure}>{writtenTime(new Date(day), NUMBER)}</span>
              </div>
              <DayEntries
                entries={entries}
                held={held?.one ?? null}
                takes={(one) => (isMovable(one) ? takes(one) : null)}
              />
            </section>
          )
        })}
      </div>
      {asked && (
        <MoveDialog
          one={asked}
          move={(to) => moving.mutate({ of: asked, to })}
          close={() => setAsked(null)}
        />
      )}
    </>
  )
}

/** @throws {Problem} where somebody has moved it meanwhile */
async function move({ id, field, date }: Deadline, to: string): Promise<void> {
  const kind = kindOfId(id)!
  const record = await recordCall(kind, 'get', { id })
  if (record[field] !== date) throw new Problem({ ...words.outOfDate, requestId: null })
  await call(callsOf(kind).update as CallName, { id, ifMatch: record.version, [field]: to } as never)
  void countAgain(kind)
}
