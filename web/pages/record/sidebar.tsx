import { Stack, Text } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { fieldsOf } from '../../client/fields.ts'
import { childKinds } from '../../client/kinds.ts'
import type { AnyRecord } from '../../client/records.ts'
import { CopyableText } from '../../components/copyable-text.tsx'
import { FactValue } from '../../components/fact-value.tsx'
import { LevelMark } from '../../components/level-mark.tsx'
import { Moment } from '../../components/moment.tsx'
import { actorName } from '../../copy/journal.ts'
import { record as words } from '../../copy/record.ts'
import { aboveOf } from './above.ts'
import { Links } from './links.tsx'
import styles from './record.module.css'

/** The narrow column: what it is linked with, what follows from the facts, and who did what to it and when. */
export function Sidebar({
  kind,
  record,
  editable,
}: {
  kind: DescribedKind
  record: AnyRecord
  editable: boolean
}) {
  const fields = fieldsOf(kind)
  const rated = Object.values(kind.ratings ?? {}).flatMap(({ level, score }) => [level, score])
  // What stands beneath the record is shown there.
  const children = childKinds(kind)
  const standing = children.map(({ under }) => under!.stands)
  const pointing = Object.keys(kind.derived).filter((name) =>
    children.some(({ idPrefix }) => idPrefix === fields.get(name)?.target),
  )
  const reasons = kind.states.flatMap(({ field, because = {} }) => because[String(record[field])] ?? [])
  const above = aboveOf(kind, record).fields
  // What a state asks for in place of a field stands beneath the record as well, such as its treatments.
  const besides = kind.states.flatMap(({ asks = {} }) =>
    Object.values(asks).flatMap((all) => all.flatMap(({ or }) => or ?? [])),
  )
  // The head says so, where it is set.
  const asked = (kind.attention ?? []).flatMap(({ name, reason }) => (reason ? [name, reason.field] : []))
  const told = [
    ...rated,
    ...standing,
    ...reasons,
    ...asked,
    ...above,
    ...pointing,
    ...besides,
    kind.uploads?.field,
    // It stands with the revision.
    kind.uploads?.revisions?.hash,
  ]
  const derived = Object.keys(kind.derived).filter((name) => record[name] !== null && !told.includes(name))
  const rollups = Object.values(kind.rolledUp).filter(({ name }) => typeof record[name] === 'string')
  const plain = (name: string) => <FactValue kind={kind} field={fields.get(name)!} record={record} />
  return (
    <Stack component="aside" gap="lg" className={styles.beside} aria-label={words.about}>
      <Links kind={kind} id={record.id} editable={editable} />
      {derived.length + rollups.length > 0 && (
        <Facts
          title={words.derived}
          facts={[
            ...derived.map((name) => [fields.get(name)!.title, plain(name)] as const),
            ...rollups.map(
              ({ name, title, options }) =>
                [title, <LevelMark key={name} level={String(record[name])} levels={options} />] as const,
            ),
          ]}
        />
      )}
      <Facts
        title={words.about}
        facts={[
          [words.created, <By key="created" by={record.createdBy} at={record.createdAt} />],
          [words.updated, <By key="updated" by={record.updatedBy} at={record.updatedAt} />],
          ...(record.archivedAt
            ? [[words.archived, <Moment key="archived" at={String(record.archivedAt)} />] as const]
            : []),
          [fields.get('source')!.title, plain('source')],
          [words.saves, plain('version')],
          [fields.get('id')!.title, <CopyableText key="id">{record.id}</CopyableText>],
        ]}
      />
    </Stack>
  )
}

function Facts({ title, facts }: { title: string; facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <section>
      <h2>{title}</h2>
      <dl>
        {facts.map(([label, value]) => (
          <Fragment key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  )
}

function By({ by, at }: { by: unknown; at: string }) {
  return (
    <>
      <bdi>{actorName(by as { type: string; displayName: string })}</bdi>{' '}
      <Text span size="xs" c="dimmed">
        <Moment at={at} />
      </Text>
    </>
  )
}
