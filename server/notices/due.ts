import { OVER } from '../../model/deadlines.ts'
import type { Kind } from '../../model/kind.ts'
import type { NoticeFacts, NoticeName } from '../../model/notice-kinds.ts'
import type { DueListener, DueMoment } from '../deadlines/due-listener.ts'
import { tell } from '../journal/tell.ts'
import { titleOf } from '../records/notices.ts'

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
  const as = spoken(kind, deadline)
  return threshold === OVER
    ? { kind: 'overdue', facts: { as } }
    : { kind: 'due', facts: { as, days: Math.max(daysLeft, 0) } }
}

/** As its field is called: "Due", "Next review", "End of support"; what ends by itself is not due to anybody. */
function spoken(kind: Kind, deadline: string): string {
  const { field, lapses } = kind.deadlines[deadline]!
  return lapses === undefined ? titleOf(kind, field) : 'Ends'
}
