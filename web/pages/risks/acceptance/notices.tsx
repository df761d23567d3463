import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { kindIndex } from '../../../client/kinds.ts'
import { recordAddress } from '../../../client/list-address.ts'
import { type AnyRecord, recordQuery } from '../../../client/records.ts'
import { useSignedIn } from '../../../client/session.ts'
import { AppLink } from '../../../components/app-link.tsx'
import { acceptance as words } from '../../../copy/acceptance.ts'
import styles from './acceptance.module.css'
import { type Acceptance, isOpen } from './acceptance.ts'
import { Headline } from './headline.tsx'

/** On the page of a risk: by whom it is accepted and until when, and who is asked to. */
export function AcceptanceNotices({ risk }: { risk: AnyRecord }) {
  const kind = kindIndex.risk_acceptance
  const { person } = useSignedIn()
  const { data: page } = useQuery(
    recordQuery(kind, 'list', { riskId: [risk.id], status: kind.open!.values, limit: 2 }),
  )
  const open = ((page?.data ?? []) as Acceptance[]).filter(isOpen)
  const { tab } = useSearch({ strict: false }) as { tab?: string }
  // What the tab shows whole need not stand above it.
  if (open.length === 0 || tab === kind.under!.path) return null
  return (
    <ul className={styles.notices}>
      {open.map((one) => {
        const isMine = one.status === 'requested' && one.approver.refId === person.id
        return (
          <li key={one.id} className={styles.notice} data-status={one.status} data-mine={isMine || undefined}>
            <span>
              <Headline acceptance={one} />
            </span>
            <Anchor
              component={AppLink}
              inherit
              href={`${recordAddress(kindIndex.risk, risk.id)}?tab=${kind.under!.path}`}
            >
              {isMine ? words.decide : one.reference}
            </Anchor>
          </li>
        )
      })}
    </ul>
  )
}
