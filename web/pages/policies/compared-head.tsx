import { IconArrowRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { AnyRecord } from '../../client/records.ts'
import { Moment } from '../../components/moment.tsx'
import { compared as words } from '../../copy/compared.ts'
import styles from './policies.module.css'
import { statusWord, type Version } from './version.ts'

/** What is compared: the older side first, as the changes lead from it to the newer one. */
export function ComparedHead({
  label,
  sides: [from, to],
}: {
  label: string
  sides: readonly [ReactNode, ReactNode]
}) {
  return (
    <header className={styles.comparedHead}>
      <h2>{label}</h2>
      <p className={styles.sides}>
        <span>
          {words.older} {from}
        </span>
        <span>
          <IconArrowRight size={16} role="img" aria-label={words.leadsTo} /> {words.newer} {to}
        </span>
        <span>
          <span className={styles.gone}>{words.gone}</span> <span className={styles.come}>{words.come}</span>
        </span>
      </p>
    </header>
  )
}

export const sidesOf = (policy: AnyRecord, { from, to }: { from: Version; to: Version }) =>
  [
    <Side key="from" policy={policy} version={from} />,
    <Side key="to" policy={policy} version={to} />,
  ] as const

/** A version with its number, how far it has come, and since when. */
function Side({ policy, version }: { policy: AnyRecord; version: Version }) {
  const stood = version.status === 'superseded' ? statusWord(policy, version) : words.stood[version.status]
  const at = MOMENTS[version.status].map((name) => version[name]).find((one) => typeof one === 'string')
  return (
    <>
      <b>{version.label}</b> · {stood} <Moment at={at as string} />
    </>
  )
}

/** Since when a version is what it is; a version that was approved without a word of when was written then. */
const MOMENTS = {
  draft: ['createdAt'],
  pending_approval: ['submittedAt', 'createdAt'],
  approved: ['approvedAt', 'createdAt'],
  published: ['publishedAt', 'createdAt'],
  superseded: ['supersededAt', 'createdAt'],
  discarded: ['createdAt'],
} as const
