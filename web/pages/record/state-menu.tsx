import { Button, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { DescribedKind } from '../../../model/described-kind.ts'
import type { StateMachine } from '../../../model/states.ts'
import { fetchCode } from '../../client/fetch-code.ts'
import { fieldsOf } from '../../client/fields.ts'
import { useSignedIn } from '../../client/session.ts'
import { isAskedFirst, nextStates, wantedBefore } from '../../client/states.ts'
import { StateMark } from '../../components/state-mark.tsx'
import { record as words } from '../../copy/record.ts'
import { valueWord } from '../../copy/records.ts'
import { EditTold } from './edit-told.tsx'
import type { Edits } from './use-record-edits.ts'

const StateQuestions = lazy(() =>
  fetchCode(() => import('../../components/state-questions.tsx')).then((all) => ({
    default: all.StateQuestions,
  })),
)

const LeaveStateDialog = lazy(() =>
  fetchCode(() => import('../../components/leave-state-dialog.tsx')).then((all) => ({
    default: all.LeaveStateDialog,
  })),
)

/** The state of a record, and the states that may follow; what such a step wants to know is asked first. */
export function StateMenu({
  kind,
  machine,
  edits,
  editable,
}: {
  kind: DescribedKind
  machine: StateMachine
  edits: Edits
  editable: boolean
}) {
  const { capabilities } = useSignedIn()
  const [asking, setAsking] = useState<string | null>(null)
  const [leaving, setLeaving] = useState<string | null>(null)
  const record = edits.shown
  const field = fieldsOf(kind).get(machine.field)!
  const state = String(record[field.name])
  const next = nextStates(machine, record, capabilities)
  const go = (to: string) => {
    if (isAskedFirst(machine, state, to)) setLeaving(to)
    else if (wantedBefore(kind, record, { [field.name]: to })) setAsking(to)
    else edits.save({ [field.name]: to }, record)
  }
  return (
    <div>
      {editable && next.length > 0 ? (
        <Menu position="bottom-start" shadow="sm">
          <Menu.Target>
            <Button
              variant="default"
              size="compact-md"
              rightSection={<IconChevronDown size={14} aria-hidden />}
              aria-label={words.status(field.title, valueWord(state))}
              aria-busy={edits.of(field.name)?.state === 'saving'}
            >
              <StateMark kind={kind} field={field.name} state={state} record={record} />
            </Button>
          </Menu.Target>
          <Menu.Dropdown miw={180} aria-label={field.title}>
            {next.map((to) => (
              <Menu.Item key={to} onClick={() => go(to)}>
                <StateMark kind={kind} field={field.name} state={to} />
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      ) : (
        <StateMark kind={kind} field={field.name} state={state} record={record} />
      )}
      <EditTold kind={kind} field={field} edits={edits} />
      {leaving !== null && (
        <Suspense>
          <LeaveStateDialog
            kind={kind}
            machine={machine}
            record={record}
            state={leaving}
            send={async () => edits.save({ [field.name]: leaving }, record)}
            close={() => setLeaving(null)}
          />
        </Suspense>
      )}
      {asking !== null && (
        <Suspense>
          <StateQuestions
            kind={kind}
            targets={[record]}
            field={field.name}
            state={asking}
            send={async (changeOf) => edits.save(changeOf(record), record)}
            close={() => setAsking(null)}
          />
        </Suspense>
      )}
    </div>
  )
}
