import { OVER } from '../../model/deadlines.ts'
import type { NoticeFacts, NoticeName } from '../../model/notice-kinds.ts'
import type { DueListener, DueMoment } from '../deadlines/due-listener.ts'
import { ADMINS, tell } from '../journal/tell.ts'
import { calledOf } from '../records/notices.ts'

/** Tells whoever is to see to a record that a date of it comes, has passed, or has ended what it said. */
export const tellOfDue: DueListener = async ({ tx, caller }, moments) => {
  tell(
    tx,
    caller,
    moments.flatMap((moment) => {
      const { kind, recordId, ownerId, lapsedTo, alsoTold } = moment
      const record = { kind: kind.name, id: recordId }
      if (ownerId !== null)
        return [
          { ...told(moment), who: ownerId, record },
          ...others(alsoTold, ownerId).map(({ who, as }) => ({
            ...{ kind: 'lapsed' as const, who, record },
            facts: { state: lapsedTo!, as },
          })),
        ]
      // What ends and is nobody's would end in silence.
      if (lapsedTo === null) return []
      return [{ kind: 'lapsed', who: ADMINS, record, facts: { state: lapsedTo, as: 'that nobody owns' } }]
    }),
  )
}

/** Each once, by the first that names them. */
const others = (alsoTold: DueMoment['alsoTold'], ownerId: string) =>
  alsoTold.filter(({ who }, at) => who !== ownerId && alsoTold.findIndex((one) => one.who === who) === at)

function told({ kind, deadline, threshold, daysLeft, lapsedTo }: DueMoment): {
  kind: NoticeName
  facts: NoticeFacts
} {
  if (lapsedTo !== null) return { kind: 'lapsed', facts: { state: lapsedTo } }
  const as = calledOf(kind, deadline)
  return threshold === OVER
    ? { kind: 'overdue', facts: { as } }
    : { kind: 'due', facts: { as, days: Math.max(daysLeft, 0) } }
}
