import { Button, NativeSelect, Text } from '@mantine/core'
import { useState } from 'react'
import type { Output } from '../../../client/calls.ts'
import { fieldsOf } from '../../../client/fields.ts'
import { kindIndex } from '../../../client/kinds.ts'
import { useKind } from '../../../client/use-kind.ts'
import { type Column, DataTable } from '../../../components/data-table.tsx'
import { RecordLink } from '../../../components/record-link.tsx'
import { frameworkMigration } from '../../../copy/framework-migration.ts'
import { optionOf } from '../../../copy/records.ts'
import styles from './migration.module.css'

const words = frameworkMigration.table
const { choice: choosing, fates } = frameworkMigration

export type Plan = Output<'planFrameworkMigration'>
/** By requirement of the other edition, whose answer it is to have; null for its own. */
export type Choices = Readonly<Record<string, string | null>>
type Fate = Plan['requirements'][number]

/** So many rows are drawn at first. */
const AT_FIRST = 150

const ORDER = ['asked', 'carried', 'merged', 'new'] as const

/** Each requirement of the other edition, with where its answer comes from, and the choices that are somebody's. */
export function Fates({
  plan,
  choices,
  choose,
}: {
  plan: Plan
  choices: Choices
  choose: (id: string, choice: string | null) => void
}) {
  const kind = useKind(kindIndex.requirement)
  const { requirements: counts } = plan.counts
  const [shown, setShown] = useState<Fate['fate']>(ORDER.find((fate) => counts[fate] > 0) ?? 'new')
  const [isWhole, setIsWhole] = useState(false)
  const matching = plan.requirements.filter(({ fate }) => fate === shown)
  const rows = isWhole ? matching : matching.slice(0, AT_FIRST)
  const columns: Column<Fate>[] = [
    {
      label: words.requirement,
      cell: ({ id, key, title }) => (
        <>
          <span className={styles.key}>{key}</span>{' '}
          <RecordLink kind={kind} id={id}>
            {title}
          </RecordLink>
        </>
      ),
    },
    {
      label: words.from,
      cell: ({ from }) =>
        from.length === 0 ? (
          <Text size="sm" c="dimmed">
            {words.nothing}
          </Text>
        ) : (
          <ul className={styles.from}>
            {from.map((one) => (
              <li key={one.id}>
                <span className={styles.key}>{one.key}</span> <bdi>{one.title}</bdi>
                <span className={styles.how}>
                  {one.by === 'same_text' ? words.sameText : relationshipWord(one.relationship)}
                </span>
              </li>
            ))}
          </ul>
        ),
    },
    {
      label: words.links,
      cell: ({ links }) => words.linked(Object.values(links).reduce((sum, count) => sum + count, 0)),
    },
    ...(shown === 'asked'
      ? [
          {
            label: words.choice,
            cell: (fate: Fate) => (
              <Choice fate={fate} choice={choices[fate.id]} choose={(one) => choose(fate.id, one)} />
            ),
          },
        ]
      : []),
  ]
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a frame of its own */}
      <div role="group" aria-label={fates.show} className={styles.legend}>
        {ORDER.filter((fate) => counts[fate] > 0).map((fate) => (
          <button
            key={fate}
            type="button"
            aria-pressed={shown === fate}
            onClick={() => {
              setShown(fate)
              setIsWhole(false)
            }}
          >
            {fates[fate](counts[fate])}
          </button>
        ))}
      </div>
      <DataTable label={words.title} columns={columns} rows={rows} />
      {rows.length < matching.length && (
        <Button variant="default" size="xs" mr="auto" onClick={() => setIsWhole(true)}>
          {words.more(matching.length - rows.length)}
        </Button>
      )}
    </>
  )
}

const relationshipWord = (relationship: string): string => relationship.replaceAll('_', ' ')

const NOBODY = 'nobody'

function Choice({
  fate: { id, key, from, asks },
  choice,
  choose,
}: {
  fate: Fate
  choice: string | null | undefined
  choose: (choice: string | null) => void
}) {
  const isAsking = asks.some(({ says }) => says.some((one) => one.id === id))
  return (
    <div className={styles.choice}>
      {asks.map((one) => (
        <Text key={one.field} size="xs" c="dimmed">
          <Dispute dispute={one} />
        </Text>
      ))}
      <NativeSelect
        size="xs"
        aria-label={choosing.of(key)}
        value={choice === undefined ? '' : (choice ?? NOBODY)}
        onChange={({ currentTarget: { value } }) => choose(value === NOBODY ? null : value)}
        data={[
          { value: '', label: choosing.open, disabled: true },
          ...(isAsking ? [{ value: id, label: choosing.there(key) }] : []),
          ...from.map((one) => ({ value: one.id, label: `${one.key} ${one.title}` })),
          { value: NOBODY, label: choosing.nobody },
        ]}
      />
    </div>
  )
}

function Dispute({ dispute: { field: name, why, says } }: { dispute: Fate['asks'][number] }) {
  const field = fieldsOf(useKind(kindIndex.requirement)).get(name)!
  const said = says.map(({ key, value }) => {
    if (value === null) return choosing.says(key, choosing.unsaid[name] ?? choosing.nothing)
    if (typeof value === 'string') return choosing.says(key, optionOf(field, value))
    return choosing.says(key, typeof value === 'number' ? String(value) : choosing.person)
  })
  return choosing[why](field.title, said)
}
