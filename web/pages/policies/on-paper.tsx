import { Fragment } from 'react'
import type { AnyRecord, Principal } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { writtenDay } from '../../components/day.tsx'
import { momentWord } from '../../components/moment.tsx'
import { actorName } from '../../copy/journal.ts'
import { policies } from '../../copy/policies.ts'
import { valueWord } from '../../copy/records.ts'
import { useDecisions } from './approval.tsx'
import styles from './policies.module.css'
import type { Version } from './version.ts'

const words = policies.paper

/** What stands above the text on paper, where nothing else of the page does: which version it is, and who approved it. */
export function OnPaper({ policy, version }: { policy: AnyRecord; version: Version }) {
  const { organization } = useSignedIn()
  const approvals = useDecisions(version)
    .filter(({ status, round }) => status === 'approved' && round === version.round)
    .toReversed()
  const isInForce = version.id === policy.currentVersionId
  const dayOf = (at: unknown, is = true) => (is && typeof at === 'string' ? writtenDay(at) : null)
  const facts: readonly (readonly [string, string | null])[] = [
    [words.organization, organization.name],
    [words.reference, policy.reference],
    [words.version, `${version.label} · ${valueWord(version.status)}`],
    [words.owner, (policy.owner as Principal | null)?.displayName ?? null],
    ...approvals.map(({ approver, approverName, decidedAt, comment }) => {
      const said = [approverName ?? approver.displayName, decidedAt && momentWord(decidedAt), comment]
      return [words.approvedBy, said.filter(Boolean).join(', ')] as const
    }),
    [words.published, publishedOf(version)],
    [words.inForce, dayOf(policy.effectiveDate, isInForce)],
    [words.review, dayOf(policy.reviewDate, isInForce)],
  ]
  return (
    <dl className={styles.paper}>
      {facts.map(
        ([title, value]) =>
          value && (
            <Fragment key={`${title} ${value}`}>
              <dt>{title}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </Fragment>
          ),
      )}
    </dl>
  )
}

/** When, and by whom. */
function publishedOf({ publishedAt, publishedBy }: Version): string | null {
  if (!publishedAt) return null
  return [publishedBy && actorName(publishedBy), momentWord(publishedAt)].filter(Boolean).join(', ')
}
