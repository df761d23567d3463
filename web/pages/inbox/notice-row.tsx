import { ActionIcon, UnstyledButton, VisuallyHidden } from '@mantine/core'
import {
  IconArchive,
  IconArrowBackUp,
  IconChevronDown,
  IconChevronUp,
  IconMail,
  IconMailOpened,
} from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { Input } from '../../client/calls.ts'
import { rowsOf, usePages } from '../../client/use-pages.ts'
import { AppLink } from '../../components/app-link.tsx'
import { ForeignText } from '../../components/foreign-text.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Moment } from '../../components/moment.tsx'
import { MorePages } from '../../components/more-pages.tsx'
import { inbox as words } from '../../copy/inbox.ts'
import { valueWord } from '../../copy/records.ts'
import styles from './inbox.module.css'
import type { Notice, View } from './notices.ts'
import { SnoozeMenu } from './snooze-menu.tsx'

export type Change = Omit<Input<'updateNotice'>, 'id' | 'andEarlier'>

/**
 * What somebody was told, where it leads, and what can be done about it: with all that was told of the same record.
 * Whoever opens it has read it.
 */
export function NoticeRow({
  notice: { id, words: said, count, earlier, record, page, createdAt, readAt, archivedAt, snoozedUntil },
  view,
  choose,
  change,
}: {
  notice: Notice
  /** Where it is shown. */
  view: View
  /** Keys act on this one from now on. */
  choose: () => void
  change: (given: Change) => void
}) {
  const isNew = readAt === null
  const isSnoozed = snoozedUntil !== null && Date.parse(snoozedUntil) > Date.now()
  const title = record?.title ?? (count > 1 ? words.open : words.openOther)
  return (
    <li id={id} className={styles.row} data-new={isNew || undefined} onFocus={choose}>
      <span className={styles.dot} aria-hidden />
      <div className={styles.said}>
        {isNew && <VisuallyHidden>{words.unreadMark} </VisuallyHidden>}
        <span className={styles.words}>
          <ForeignText>{said}</ForeignText>
        </span>
        <span className={styles.record}>
          {record && record.reference !== record.title && (
            <span className={styles.reference}>{record.reference}</span>
          )}
          <AppLink
            href={page}
            className={styles.title}
            onClickCapture={() => isNew && change({ isRead: true })}
          >
            {title}
          </AppLink>
          {record?.state && <span className={styles.state}>{valueWord(record.state)}</span>}
        </span>
        {record?.reason && (
          <span className={styles.reason} title={record.reason}>
            <ForeignText>{words.reason(record.reason)}</ForeignText>
          </span>
        )}
        {record && earlier > 0 && <Earlier id={id} record={record} earlier={earlier} view={view} />}
      </div>
      <span className={styles.at}>
        {isSnoozed ? (
          <>
            {words.until} <Moment at={snoozedUntil} />
          </>
        ) : (
          <Moment at={createdAt} />
        )}
      </span>
      <span className={styles.acts}>
        {isSnoozed ? (
          <Act label={words.wake} of={title} act={() => change({ snoozedUntil: null })}>
            <IconArrowBackUp size={16} aria-hidden />
          </Act>
        ) : archivedAt !== null ? (
          <Act label={words.back} of={title} act={() => change({ isArchived: false })}>
            <IconArrowBackUp size={16} aria-hidden />
          </Act>
        ) : (
          <>
            <Act
              label={isNew ? words.markRead : words.markUnread}
              of={title}
              act={() => change({ isRead: isNew })}
            >
              {isNew ? <IconMailOpened size={16} aria-hidden /> : <IconMail size={16} aria-hidden />}
            </Act>
            <SnoozeMenu of={title} snooze={(until) => change({ snoozedUntil: until })} />
            <Act label={words.archive} of={title} act={() => change({ isArchived: true })}>
              <IconArchive size={16} aria-hidden />
            </Act>
          </>
        )}
      </span>
    </li>
  )
}

/** What was told of the same record before, once that is asked for. */
function Earlier({
  id,
  record,
  earlier,
  view,
}: {
  id: string
  record: NonNullable<Notice['record']>
  earlier: number
  view: View
}) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <UnstyledButton
        className={styles.more}
        aria-expanded={isOpen}
        aria-label={words.earlierOf(earlier, record.title)}
        onClick={() => setIsOpen(!isOpen)}
      >
        {words.earlier(earlier)}
        {isOpen ? <IconChevronUp size={13} aria-hidden /> : <IconChevronDown size={13} aria-hidden />}
      </UnstyledButton>
      {isOpen && <EarlierOnes id={id} record={record} view={view} />}
    </>
  )
}

function EarlierOnes({ id, record, view }: { id: string; record: { id: string }; view: View }) {
  const all = usePages('listNotices', { show: view, recordId: record.id })
  return (
    <Loaded query={all} lines={2}>
      {(data) => (
        <>
          <ul className={styles.earlier}>
            {rowsOf(data)
              .filter((one) => one.id !== id)
              .map((one) => (
                <li key={one.id}>
                  <ForeignText>{one.words}</ForeignText> <Moment at={one.createdAt} />
                </li>
              ))}
          </ul>
          <MorePages of={all} />
        </>
      )}
    </Loaded>
  )
}

function Act({
  label,
  of,
  act,
  children,
}: {
  label: string
  of: string
  act: () => void
  children: ReactNode
}) {
  return (
    <ActionIcon size={28} aria-label={`${label}: ${of}`} title={label} onClick={act}>
      {children}
    </ActionIcon>
  )
}
