import { Anchor, Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { PAGES } from '../../../model/pages.ts'
import { nameOf } from '../../../model/roles.ts'
import { call, type Output } from '../../client/calls.ts'
import { fieldsOf } from '../../client/fields.ts'
import { today } from '../../client/formats.ts'
import { kindIndex } from '../../client/kinds.ts'
import { recordAddress } from '../../client/list-address.ts'
import { type AnyRecord, useRecordAnswer } from '../../client/records.ts'
import { useKind } from '../../client/use-kind.ts'
import { AppLink } from '../../components/app-link.tsx'
import { Card } from '../../components/card.tsx'
import { writtenDay } from '../../components/day.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { percentOf, SharesInLine, sharesOf } from '../../components/share-bar.tsx'
import { frameworks } from '../../copy/frameworks.ts'
import styles from './framework-coverage.module.css'

const words = frameworks.overview
const AT_MOST = 10
const DAYS = 31

type Day = Output<'listFrameworkCoverage'>['data'][number]

/** How far the active frameworks are, and what has changed within a month. */
export function FrameworkCoverage() {
  const active = useRecordAnswer(kindIndex.framework, 'list', {
    status: ['active', 'retiring'],
    sort: 'name',
    limit: AT_MOST,
  })
  return (
    <Card title={words.title} text={words.text}>
      <Loaded query={active} lines={3}>
        {({ data }) =>
          data.length > 0 ? (
            <Rows all={data} />
          ) : (
            <Text size="sm">
              {words.none}{' '}
              <Anchor component={AppLink} size="sm" href={PAGES.frameworkLibrary}>
                {words.choose}
              </Anchor>
            </Text>
          )
        }
      </Loaded>
    </Card>
  )
}

function Rows({ all }: { all: readonly AnyRecord[] }) {
  const kind = useKind(kindIndex.framework)
  const field = fieldsOf(kind).get('progress')!
  const from = new Date(Date.parse(today()) - DAYS * 86_400_000).toISOString().slice(0, 10)
  const days = useQueries({
    queries: all.map(({ id }) => ({
      queryKey: ['listFrameworkCoverage', { id, from }],
      queryFn: () => call('listFrameworkCoverage', { id, from }),
    })),
  })
  return (
    <ul className={styles.rows} aria-label={words.title}>
      {all.map((framework, at) => {
        const now = sharesOf(field, framework.progress as object)
        const [first] = (days[at]!.data?.data ?? []) as readonly Day[]
        const before = first && percentOf(sharesOf(field, first))
        return (
          <li key={framework.id}>
            <AppLink className={styles.name} href={recordAddress(kindIndex.framework, framework.id)}>
              {String(framework.shortName ?? nameOf(kind, framework))}
            </AppLink>
            <SharesInLine shares={now} />
            <span className={styles.moved} title={first && words.since(writtenDay(first.day))}>
              {typeof before === 'number' && movedWord((percentOf(now) ?? 0) - before)}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

const movedWord = (points: number): string => (points === 0 ? words.same : words.moved(points))
