import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { machineOf } from '../../../model/roles.ts'
import type { Field } from '../../client/fields.ts'
import { scaleOf } from '../../client/risk-matrix.ts'
import { countWord } from '../../copy/counts.ts'
import { everyPage } from '../../copy/every-page.ts'
import { optionOf, records } from '../../copy/records.ts'
import { register } from '../../copy/register.ts'
import { LevelMark } from '../level-mark.tsx'
import { StateMark } from '../state-mark.tsx'
import styles from './group-lines.module.css'
import { type Groups, isLastStep, type RowGroup } from './use-groups.ts'

const words = register.group

/** The value that rows stand under, how many there are, and the way to see or hide them. */
export function GroupHead({ kind, group, groups }: { kind: DescribedKind; group: RowGroup; groups: Groups }) {
  const { isOpen, count } = group
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <button type="button" className={styles.head} aria-expanded={isOpen} onClick={() => groups.toggle(group)}>
      <Chevron size={14} aria-hidden />
      <GroupName kind={kind} field={groups.field!} group={group} />
      <span className={styles.count}>{countWord(count)}</span>
    </button>
  )
}

function GroupName({
  kind,
  field,
  group: { value, isUnset, name },
}: {
  kind: DescribedKind
  field: Field
  group: RowGroup
}) {
  if (isUnset)
    return field.form === 'principal'
      ? records.owner.nobody
      : (register.notSet[field.name] ?? records.noValue)
  if (name) return name
  if (machineOf(kind, field.name)) return <StateMark kind={kind} field={field.name} state={value} />
  return field.isLevel ? <LevelMark level={value} levels={scaleOf(field)} /> : optionOf(field, value)
}

/** The way to the rows of a group that are not here. */
export function MoreOfGroup({ group, groups }: { group: RowGroup; groups: Groups }) {
  if (group.isReading && group.rows.length === 0)
    return <span className={styles.late}>{everyPage.loading}</span>
  return (
    <button
      type="button"
      className={styles.more}
      onClick={() => (isLastStep(group) ? groups.showAll(group) : groups.more(group))}
    >
      {isLastStep(group) ? words.all(group.count) : words.more(group.rows.length, group.count)}
    </button>
  )
}
