import type { ReactNode } from 'react'
import { writtenTime } from '../../../client/formats.ts'
import { useSignedIn } from '../../../client/session.ts'
import { Timed } from '../../../components/moment.tsx'
import { acceptance as words } from '../../../copy/acceptance.ts'
import { valueWord } from '../../../copy/records.ts'
import type { Acceptance } from './acceptance.ts'

export const DATE = { dateStyle: 'long' } as const

/** What matters most of an acceptance, in a sentence: who has accepted the risk or is to decide it, and until when. */
export function Headline({ acceptance }: { acceptance: Acceptance }): ReactNode {
  const { person } = useSignedIn()
  const { approver, approverName, expiresAt, status } = acceptance
  const who = approverName ?? approver.displayName
  const said =
    status === 'approved'
      ? words.accepted(who)
      : status !== 'requested'
        ? words.ended(valueWord(status))
        : approver.refId === person.id
          ? words.you
          : words.waits(who)
  return (
    <>
      <bdi>{said}</bdi> <Timed at={expiresAt}>{writtenTime(new Date(expiresAt), DATE)}</Timed>
    </>
  )
}
