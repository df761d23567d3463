import { Anchor, Stack } from '@mantine/core'
import { kindIndex } from '../../client/kinds.ts'
import { listAddress } from '../../client/list-address.ts'
import { mayDo } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { useKind } from '../../client/use-kind.ts'
import { useOwnIds, type Waiting, waitingFor } from '../../client/waiting.ts'
import { AppLink } from '../../components/app-link.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { evidenceHub as words } from '../../copy/evidence-hub.ts'
import { ByAge } from './by-age.tsx'
import { ByControl } from './by-control.tsx'
import { inDays, SOON_DAYS } from './days.ts'
import { HeldFiles } from './held.tsx'
import { Rows } from './rows.tsx'

/** Where evidence is asked for, waits, runs out or is missing. */
export function EvidenceHubPage() {
  const signedIn = useSignedIn()
  const evidence = useKind(kindIndex.evidence)
  const ids = useOwnIds() ?? [signedIn.person.id]
  const waitingTo = (act: Waiting['act']) => waitingFor(evidence.waits!.find((one) => one.act === act)!, ids)
  // Whoever only reads is never asked: what is proven comes first.
  const isAsked = mayDo(evidence, 'update', signedIn)
  const requested = { status: ['requested', 'rejected'] }
  return (
    <Stack gap="xl">
      <PageHead
        title={words.title}
        text={words.text}
        action={
          <Anchor component={AppLink} href={listAddress(evidence)} size="sm">
            {words.all}
          </Anchor>
        }
      />
      {isAsked && (
        <>
          <Rows
            kind={evidence}
            words={words.mine}
            filters={waitingTo('hand_in')}
            sort="requestDueDate"
            shown={{ [words.columns.status]: 'status', [words.columns.by]: 'requestDueDate' }}
          />
          <Rows
            kind={evidence}
            words={words.review}
            filters={waitingTo('decide')}
            sort="updatedAt"
            shown={{
              [words.columns.from]: { field: 'requestedFrom', unset: words.nobody },
              [words.columns.by]: { field: 'requestDueDate', unset: words.nobody },
              [words.columns.sent]: 'updatedAt',
            }}
          />
        </>
      )}
      {mayDo(kindIndex.control, 'read', signedIn) && <ByControl />}
      <Rows
        kind={evidence}
        words={words.requested}
        filters={requested}
        sort="requestDueDate"
        shown={{
          [words.columns.status]: 'status',
          [words.columns.from]: 'requestedFrom',
          [words.columns.by]: 'requestDueDate',
        }}
      />
      <Rows
        kind={evidence}
        words={words.expiring}
        filters={{ status: ['approved'], 'expiryDate.to': inDays(SOON_DAYS) }}
        sort="expiryDate"
        shown={{ [words.columns.owner]: 'owner', [words.columns.expires]: 'expiryDate' }}
      />
      <Rows
        kind={evidence}
        words={words.expired}
        filters={{ status: ['expired'] }}
        sort="-expiryDate"
        shown={{ [words.columns.owner]: 'owner', [words.columns.expires]: 'expiryDate' }}
      />
      <ByAge />
      {signedIn.capabilities.includes('settings.manage') && <HeldFiles />}
    </Stack>
  )
}
