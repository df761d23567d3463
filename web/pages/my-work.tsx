import { Anchor, Stack } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { everyKind } from '../client/kinds.ts'
import { mayDo } from '../client/records.ts'
import { useSignedIn } from '../client/session.ts'
import { useAnswer } from '../client/use-answer.ts'
import { usePages } from '../client/use-pages.ts'
import { AppLink } from '../components/app-link.tsx'
import { Loaded } from '../components/loaded.tsx'
import { MorePages } from '../components/more-pages.tsx'
import { PageHead } from '../components/page-head.tsx'
import { calendar } from '../copy/calendar.ts'
import { myWork as words } from '../copy/my-work.ts'
import { Nothing } from './inbox/nothing.tsx'
import { Acknowledged } from './my-work/acknowledged.tsx'
import { DueSection } from './my-work/due-section.tsx'
import { ToRead } from './my-work/to-read.tsx'
import { UndatedSection } from './my-work/undated-section.tsx'
import { WaitingSection } from './my-work/waiting-section.tsx'
import { WithUndo } from './my-work/with-undo.tsx'

const BUCKETS = ['late', 'this_week', 'this_month', 'later'] as const
const NEAR = BUCKETS.slice(0, 3)
/** What is late is seen without scrolling, whatever waits above it. */
const WAITING_FIRST = 8

/** Everything that is theirs, as they find it in the morning: first what keeps others, then what is late. */
export function MyWorkPage() {
  const waiting = usePages('listWaiting', { limit: WAITING_FIRST })
  const anybodys = usePages('listWaiting', { whose: 'nobody', limit: WAITING_FIRST })
  const counts = useAnswer('listDeadlines', { ownerId: ['me'], awaited: false, limit: 1 })
  const toRead = useAnswer('listMyAttestations', {})
  const undated = usePages('listUndatedWork', { limit: 20 })
  const signedIn = useSignedIn()
  // What they cannot take up is not offered to them.
  const takeable = everyKind.filter(
    (kind) => Object.keys(kind.deadlines).length > 0 && mayDo(kind, 'update', signedIn),
  )
  return (
    <Stack gap="xl" maw={980}>
      <PageHead
        title={words.title}
        text={words.text}
        action={
          <Anchor component={AppLink} href="/calendar" size="sm">
            {calendar.title}
          </Anchor>
        }
      />
      {toRead.data && toRead.data.data.length > 0 && (
        <Place id="to_read">
          <ToRead />
        </Place>
      )}
      <WithUndo>
        <Loaded query={waiting} lines={4}>
          {(waits) => (
            <Loaded query={counts} lines={8}>
              {({ counts: { late, thisWeek, thisMonth, later } }) => {
                const hasUndated = (undated.data?.pages[0]?.data.length ?? 0) > 0
                const dues = { late, this_week: thisWeek, this_month: thisMonth, later }
                const isAsked = waits.pages[0]!.data.length > 0
                const hasToRead = !toRead.data || toRead.data.data.length > 0
                const isClear =
                  !isAsked && !hasToRead && !hasUndated && late + thisWeek + thisMonth + later === 0
                return (
                  <>
                    {isClear && <Nothing {...words.clear} />}
                    {isAsked && (
                      <Place id="waiting">
                        <WaitingSection
                          isMine
                          words={words.waiting}
                          waiting={waits}
                          more={<MorePages of={waiting} />}
                        />
                      </Place>
                    )}
                    {BUCKETS.filter((bucket) => dues[bucket] > 0).map((bucket) => (
                      <Place key={bucket} id={bucket}>
                        <DueSection
                          words={words.buckets[bucket]}
                          count={dues[bucket]}
                          {...(bucket === 'later' && { first: 10 })}
                          asked={{ ownerId: ['me'], awaited: false, bucket: [bucket] }}
                        />
                      </Place>
                    ))}
                    {hasUndated && <UndatedSection work={undated.data!} more={<MorePages of={undated} />} />}
                    {anybodys.data && anybodys.data.pages[0]!.data.length > 0 && (
                      <WaitingSection
                        words={words.suggested}
                        waiting={anybodys.data}
                        more={<MorePages of={anybodys} />}
                      />
                    )}
                    {takeable.length > 0 && (
                      <DueSection
                        words={words.ownerless}
                        isMine={false}
                        asked={{ ownerId: ['none'], bucket: NEAR, type: takeable.map(({ name }) => name) }}
                      />
                    )}
                  </>
                )
              }}
            </Loaded>
          )}
        </Loaded>
      </WithUndo>
      <Acknowledged />
    </Stack>
  )
}

/** A part of the page that links lead to: whoever follows one sees it as soon as it is drawn. */
function Place({ id, children }: { id: string; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (location.hash === `#${id}`) place.current?.scrollIntoView()
  }, [id])
  return (
    <div id={id} ref={place}>
      {children}
    </div>
  )
}
