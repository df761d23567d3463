import { Menu } from '@mantine/core'
import type { ReactElement } from 'react'
import type { Values } from '../../model/complaint.ts'
import type { DescribedKind } from '../../model/described-kind.ts'
import { stateField } from '../../model/roles.ts'
import type { StateMachine } from '../../model/states.ts'
import { fieldsOf } from '../client/fields.ts'
import { useSignedIn } from '../client/session.ts'
import { nextStates } from '../client/states.ts'
import { records } from '../copy/records.ts'
import { attentionOf, attentionWords } from './attention.ts'
import { StateMark } from './state-mark.tsx'

/** The states that may follow, opened at what stands inside it. */
export function StateMenu({
  kind,
  machine,
  record,
  choose,
  close,
  children,
}: {
  kind: DescribedKind
  machine: StateMachine
  record: Values
  choose: (state: string) => void
  close: () => void
  children: ReactElement
}) {
  const { capabilities } = useSignedIn()
  const states = nextStates(machine, record, capabilities)
  const asked = machine.field === stateField(kind) ? attentionWords(kind, attentionOf(kind, record)) : ''
  return (
    <Menu opened onChange={(opened) => !opened && close()} position="bottom-start" shadow="sm">
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        {asked !== '' && <Menu.Label>{asked}</Menu.Label>}
        {states.length === 0 && (
          <Menu.Label>{records.end(fieldsOf(kind).get(machine.field)!.title)}</Menu.Label>
        )}
        {states.map((state) => (
          <Menu.Item key={state} onClick={() => choose(state)}>
            <StateMark kind={kind} field={machine.field} state={state} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
