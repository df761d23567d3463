import { capital } from '../../model/capital.ts'
import { OVER } from '../../model/deadlines.ts'
import type { NoticeFacts, NoticeName } from '../../model/notice-kinds.ts'
import type { DueListener, DueMoment } from '../deadlines/due-listener.ts'
import { tell } from '../journal/tell.ts'

/** Tells whoever is to see to a record that a date of it comes, has passed, or has ended what it said. */
export const tellOfDue: DueListener = async ({ tx, caller }, moments) => {
  tell(
    tx,
    caller,
    moments.flatMap((moment) => {
      const { kind, recordId, ownerId } = moment
      if (ownerId === null) return []
      return [{ ...told(moment), who: ownerId, record: { kind: kind.name, id: recordId } }]
    }),
  )
}

function told({ kind, deadline, threshold, daysLeft, lapsedTo }: DueMoment): {
  kind: NoticeName
  facts: NoticeFacts
} {
  if (lapsedTo !== null) return { kind: 'lapsed', facts: { state: lapsedTo } }
  const as = spoken(deadline, kind.deadlines[deadline]?.lapses !== undefined)
  return threshold === OVER
    ? { kind: 'overdue', facts: { as } }
    : { kind: 'due', facts: { as, days: Math.max(daysLeft, 0) } }
}

/** "Due", "Review due"; what ends by itself is not due to anybody. */
function spoken(deadline: string, lapses: boolean): string {
  if (lapses) return 'Ends'
  return deadline === 'due' ? 'Due' : `${capital(deadline)} due`
}
