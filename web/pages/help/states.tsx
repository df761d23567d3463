import { Stack, Text, Title } from '@mantine/core'
import { capital } from '../../../model/capital.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import type { StateMachine } from '../../../model/states.ts'
import { DataTable } from '../../components/data-table.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { help } from '../../copy/help.ts'
import { valueWord } from '../../copy/records.ts'

const words = help.states

/** The states of a kind as it says them: what follows each, and what each asks for. */
export function States({ kind, machine }: { kind: DescribedKind; machine: StateMachine }) {
  const { field, next, asks = {}, byAction = [], leavingNeeds = {} } = machine
  const states = Object.keys(next).filter((state) => !byAction.includes(state))
  return (
    <Stack gap="xs">
      <Title order={3} size="sm">
        {words.caption(kind.noun)}
      </Title>
      <DataTable
        label={words.caption(kind.noun)}
        rows={states.map((id) => ({ id }))}
        columns={[
          {
            label: words.columns.state,
            cell: ({ id }) => <StateMark kind={kind} field={field} state={id} />,
          },
          {
            label: words.columns.next,
            cell: ({ id }) => next[id]!.map(valueWord).join(', ') || words.nothing,
          },
          {
            label: words.columns.asks,
            cell: ({ id }) => capital(asks[id]?.map(({ message }) => message).join('; ') ?? words.nothing),
          },
        ]}
      />
      {Object.keys(leavingNeeds).map((state) => (
        <Text key={state} size="sm">
          {words.admins(valueWord(state))}
        </Text>
      ))}
    </Stack>
  )
}
