import { Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { capital } from '../../../model/capital.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import type { StateMachine } from '../../../model/states.ts'
import { fieldsOf } from '../../client/fields.ts'
import { operationsOn } from '../../client/record-operations.ts'
import { DataTable } from '../../components/data-table.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { help } from '../../copy/help.ts'
import { valueWord } from '../../copy/records.ts'
import { stateRows } from './state-rows.ts'

const words = help.states

/** The states of a kind as it says them: what follows each, by choice or by a button of its own, and what each asks for. */
export function States({ kind, machine }: { kind: DescribedKind; machine: StateMachine }) {
  const { field, asks = {}, leavingNeeds = {} } = machine
  const { data: operations } = useQuery(operationsOn(kind))
  const title = words.caption(
    kind.noun,
    kind.states.length > 1 ? fieldsOf(kind).get(field)!.title : undefined,
  )
  return (
    <Stack gap="xs">
      <Title order={3} size="sm">
        {title}
      </Title>
      <DataTable
        label={title}
        rows={stateRows(machine, operations?.data ?? [])}
        columns={[
          {
            label: words.columns.state,
            cell: ({ id }) => <StateMark kind={kind} field={field} state={id} />,
          },
          {
            label: words.columns.next,
            cell: ({ next }) =>
              next.map(({ state, by }) => words.next(valueWord(state), by)).join(', ') || words.nothing,
          },
          {
            label: words.columns.asks,
            cell: ({ id, only }) => {
              const asked = asks[id]?.map(({ message }) => message) ?? []
              const told = only ? [words.only(only), ...asked] : asked
              return capital(told.join('; ')) || words.nothing
            },
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
