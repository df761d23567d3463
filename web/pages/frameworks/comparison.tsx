import { Checkbox, NativeSelect, Stack, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { nameOf } from '../../../model/roles.ts'
import { call, type Output } from '../../client/calls.ts'
import { fetchCode } from '../../client/fetch-code.ts'
import { kindIndex } from '../../client/kinds.ts'
import { recordAddress } from '../../client/list-address.ts'
import { type AnyRecord, recordQuery, useRecordAnswer } from '../../client/records.ts'
import { useBatches } from '../../client/use-batches.ts'
import { useKind } from '../../client/use-kind.ts'
import { AppLink } from '../../components/app-link.tsx'
import { ColourMark } from '../../components/colour-mark.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { LinesSkeleton } from '../../components/page-skeleton.tsx'
import { RecordLink } from '../../components/record-link.tsx'
import { type Share, SharesInLine } from '../../components/share-bar.tsx'
import { frameworks } from '../../copy/frameworks.ts'
import { valueWord } from '../../copy/records.ts'
import styles from './comparison.module.css'

const words = frameworks.comparison
const { tabs } = frameworks.mappings

const MappingEditor = lazy(() =>
  fetchCode(() => import('./mapping-editor.tsx')).then((code) => ({ default: code.MappingEditor })),
)

const MAPPINGS = 'mappings'

const COLOURS = { whole: 'teal', part: 'yellow', none: 'grey' } as const

type Coverage = keyof typeof COLOURS
type Compared = Output<'compareFrameworks'>
type Family = Compared['families'][number]
type Requirement = Compared['requirements'][number]

/** What two frameworks cover of each other, and what is left to do of each. */
export function FrameworkComparisonPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const { with: other, tab } = useSearch({ strict: false }) as { with?: string; tab?: string }
  const navigate = useNavigate()
  const kind = useKind(kindIndex.framework)
  const framework = useRecordAnswer(kind, 'get', { id })
  const all = useQuery(recordQuery(kind, 'list', { limit: 200, sort: 'name' }))
  const [isLeftOnly, setIsLeftOnly] = useState(true)
  const show = (search: { with: string | undefined; tab: string | undefined }) =>
    navigate({ to: '.', search: search as never, replace: true })
  const calledBy = (record: AnyRecord) =>
    words.edition(String(record.shortName ?? nameOf(kind, record)), String(record.edition))
  return (
    <Loaded query={framework} lines={8} title={words.title}>
      {(record) => (
        <Stack gap="md">
          <RecordLink kind={kind} id={record.id}>
            {nameOf(kind, record)}
          </RecordLink>
          <PageHead title={words.title} text={words.text(calledBy(record))} />
          <Loaded query={all} lines={2}>
            {({ data }) => {
              const others = data.filter((one) => one.id !== id)
              const chosen = others.find((one) => one.id === other)
              if (others.length === 0) return <Text size="sm">{words.none}</Text>
              return (
                <>
                  <NativeSelect
                    label={words.with}
                    maw="28rem"
                    value={chosen?.id ?? ''}
                    data={[
                      { value: '', label: words.choose },
                      ...others.map((one) => ({
                        value: one.id,
                        label: frameworks.statement.edition(nameOf(kind, one), String(one.edition)),
                      })),
                    ]}
                    onChange={({ currentTarget: { value } }) => void show({ with: value || undefined, tab })}
                  />
                  {chosen && (
                    <Tabs
                      value={tab === MAPPINGS ? tab : 'covers'}
                      onChange={(value) =>
                        void show({ with: other, tab: value === MAPPINGS ? value : undefined })
                      }
                      keepMounted={false}
                    >
                      <Tabs.List aria-label={words.views} mb="md">
                        {Object.entries(tabs).map(([value, title]) => (
                          <Tabs.Tab key={value} value={value}>
                            {title}
                          </Tabs.Tab>
                        ))}
                      </Tabs.List>
                      <Tabs.Panel value="covers">
                        <Checkbox
                          size="sm"
                          mb="md"
                          label={words.leftOnly}
                          checked={isLeftOnly}
                          onChange={({ currentTarget }) => setIsLeftOnly(currentTarget.checked)}
                        />
                        <div className={styles.ways}>
                          {[[record, chosen] as const, [chosen, record] as const].map(([of, by]) => (
                            <Way
                              key={of.id}
                              of={of.id}
                              by={by.id}
                              title={words.covers(calledBy(by), calledBy(of))}
                              isLeftOnly={isLeftOnly}
                            />
                          ))}
                        </div>
                      </Tabs.Panel>
                      <Tabs.Panel value={MAPPINGS}>
                        <Suspense fallback={<LinesSkeleton lines={10} />}>
                          <MappingEditor key={chosen.id} of={record} to={chosen} name={calledBy(chosen)} />
                        </Suspense>
                      </Tabs.Panel>
                    </Tabs>
                  )}
                </>
              )
            }}
          </Loaded>
        </Stack>
      )}
    </Loaded>
  )
}

function Way({ of, by, title, isLeftOnly }: { of: string; by: string; title: string; isLeftOnly: boolean }) {
  const answer = useQuery({
    queryKey: ['compareFrameworks', { id: of, withId: by }],
    queryFn: () => call('compareFrameworks', { id: of, withId: by }),
  })
  return (
    <section aria-label={title} className={styles.way}>
      <h2>{title}</h2>
      <Loaded query={answer} lines={6}>
        {({ families, requirements }) => (
          <>
            <Sum families={families} />
            <ul>
              {families.map((family) => (
                <OneFamily
                  key={family.id}
                  family={family}
                  below={requirements.filter(({ familyId }) => familyId === family.id)}
                  isLeftOnly={isLeftOnly}
                />
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </section>
  )
}

const countsOf = ({ whole, part, none }: Pick<Family, Coverage>) => ({ whole, part, none })

const sharesOf = (counts: Record<Coverage, number>): readonly Share[] =>
  (Object.keys(COLOURS) as Coverage[]).map((name) => ({
    name,
    title: words.coverage[name]!,
    colour: COLOURS[name],
    count: counts[name],
  }))

function Sum({ families }: { families: readonly Family[] }) {
  const sum = { whole: 0, part: 0, none: 0 }
  for (const family of families) for (const name of Object.keys(sum) as Coverage[]) sum[name] += family[name]
  const all = sum.whole + sum.part + sum.none
  if (all === 0) return <Text size="sm">{words.empty}</Text>
  return (
    <div className={styles.sum}>
      <Text size="sm">{words.left(sum.part + sum.none, all)}</Text>
      <SharesInLine shares={sharesOf(sum)} />
    </div>
  )
}

function OneFamily({
  family,
  below,
  isLeftOnly,
}: {
  family: Family
  below: readonly Requirement[]
  isLeftOnly: boolean
}) {
  const [isOpen, setIsOpen] = useState(false)
  const shown = below.filter(({ coverage }) => !isLeftOnly || coverage !== 'whole')
  return (
    <li>
      <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary>
          <span className={styles.key}>{family.key}</span>
          <span className={styles.name}>{family.title}</span>
          <SharesInLine shares={sharesOf(countsOf(family))} />
        </summary>
        {isOpen && <Below rows={shown} />}
      </details>
    </li>
  )
}

function Below({ rows }: { rows: readonly Requirement[] }) {
  const drawn = useBatches(rows.length, 50)
  if (rows.length === 0) return <Text size="sm">{words.nothingLeft}</Text>
  return (
    <ul className={styles.rows}>
      {rows.slice(0, drawn).map(({ id, key, title, coverage, through }) => (
        <li key={id}>
          <div className={styles.row}>
            <span className={styles.key}>{key}</span>
            <AppLink href={recordAddress(kindIndex.requirement, id)} className={styles.name}>
              {title}
            </AppLink>
            <ColourMark colour={COLOURS[coverage as Coverage]}>{words.coverage[coverage]}</ColourMark>
          </div>
          {through.length > 0 && (
            <div className={styles.through}>
              {words.through}{' '}
              {through.map((one, index) => (
                <span key={`${one.id} ${one.isBackwards}`}>
                  {index > 0 && ', '}
                  <AppLink href={recordAddress(kindIndex.requirement, one.id)} title={one.title}>
                    {one.key}
                  </AppLink>{' '}
                  ({valueWord(one.relationship).toLowerCase()})
                </span>
              ))}
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}
