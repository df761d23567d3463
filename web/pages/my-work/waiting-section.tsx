import { Anchor, Group } from '@mantine/core'
import type { InfiniteData } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Output } from '../../client/calls.ts'
import { everyKind } from '../../client/kinds.ts'
import { listAddress } from '../../client/list-address.ts'
import { rowsOf } from '../../client/use-pages.ts'
import { useOwnIds, waitingFor } from '../../client/waiting.ts'
import { AppLink } from '../../components/app-link.tsx'
import { Moment } from '../../components/moment.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { RecordRows, Standing } from '../../components/record-rows.tsx'
import { Section } from '../../components/section.tsx'
import { countWord } from '../../copy/counts.ts'
import { myWork } from '../../copy/my-work.ts'
import { registerWords } from '../../copy/records.ts'
import { StateInPlace } from './state-in-place.tsx'

/** What others wait for, with the way to all of it by kind. */
export function WaitingSection({
  words: { title, text },
  isMine = false,
  waiting,
  more,
}: {
  words: { readonly title: string; readonly text: string }
  /** Whether it waits for the person. */
  isMine?: boolean
  waiting: InfiniteData<Output<'listWaiting'>>
  more: ReactNode
}) {
  const ids = useOwnIds(isMine)
  const [fault, setFault] = useState<unknown>(null)
  const { counts } = waiting.pages[0]!
  const registers = counts.flatMap(({ type, act, count }) => {
    const kind = everyKind.find(({ name }) => name === type)
    const way = kind?.waits?.find((one) => one.act === act)
    return isMine && kind && way && ids ? [{ kind, act, count, filters: waitingFor(way, ids) }] : []
  })
  return (
    <Section
      title={title}
      text={text}
      action={
        <Group gap="sm">
          {registers.map(({ kind, act, count, filters }) => {
            const { one, many } = kind.noun.about ?? registerWords(kind)
            return (
              <Anchor
                key={`${act} ${kind.name}`}
                component={AppLink}
                href={listAddress(kind, filters)}
                size="sm"
              >
                {`${countWord(count)} ${myWork.waiting.figure[act](count === 1 ? one : many)}`}
              </Anchor>
            )
          })}
        </Group>
      }
    >
      {fault !== null && <ProblemAlert error={fault} />}
      <RecordRows
        label={title}
        rows={rowsOf(waiting)}
        aside={(row) => (
          <>
            {row.asked && (
              <span>
                {myWork.waiting.askedBy} <bdi>{myWork.waiting.asker(row.asked)}</bdi>,{' '}
                <Moment at={row.asked.at} />
              </span>
            )}
            <StateInPlace one={row} isMine={isMine} told={setFault} />
            <Standing state={null} date={row.date} />
          </>
        )}
      />
      {more}
    </Section>
  )
}
