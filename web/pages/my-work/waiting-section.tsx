import { Anchor, Group } from '@mantine/core'
import { deadlineOf, stateField } from '../../../model/roles.ts'
import { fieldsOf } from '../../client/fields.ts'
import { listAddress } from '../../client/list-address.ts'
import { useKind } from '../../client/use-kind.ts'
import { AppLink } from '../../components/app-link.tsx'
import { type RecordRow, RecordRows } from '../../components/record-rows.tsx'
import { RecordValue } from '../../components/record-value.tsx'
import { Section } from '../../components/section.tsx'
import { countWord } from '../../copy/counts.ts'
import { myWork as words } from '../../copy/my-work.ts'
import { overview } from '../../copy/overview.ts'
import { registerWords } from '../../copy/records.ts'
import type { WaitingRecords } from './waiting.ts'

/** What others wait for, with the way to all of it by kind. */
export function WaitingSection({ waiting }: { waiting: readonly WaitingRecords[] }) {
  const rows = waiting.flatMap(({ kind, records }) => records.map((record): RecordRow => ({ kind, record })))
  return (
    <Section
      title={words.waiting.title}
      text={words.waiting.text}
      action={
        <Group gap="sm">
          {waiting.map(({ kind, act, filters, count }) => {
            const { one, many } = registerWords(kind)
            return (
              <Anchor
                key={`${act} ${kind.name}`}
                component={AppLink}
                href={listAddress(kind, filters)}
                size="sm"
              >
                {`${countWord(count)} ${overview.mine.figure[act](count === 1 ? one : many)}`}
              </Anchor>
            )
          })}
        </Group>
      }
    >
      <RecordRows label={words.waiting.title} rows={rows} aside={Standing} />
    </Section>
  )
}

function Standing({ kind: entry, record }: RecordRow) {
  const kind = useKind(entry)
  const fields = fieldsOf(kind)
  const shown = [stateField(kind), deadlineOf(kind)].filter((name) => name !== undefined)
  return (
    <>
      {shown.map((name) => (
        <RecordValue key={name} kind={kind} field={fields.get(name)!} record={record} />
      ))}
    </>
  )
}
