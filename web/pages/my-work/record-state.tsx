import { useMutation } from '@tanstack/react-query'
import { type ReactElement, useEffect, useState } from 'react'
import type { Values } from '../../../model/complaint.ts'
import type { KindEntry } from '../../../model/described-kind.ts'
import { useKindOfRecords } from '../../client/custom-fields.ts'
import { callLeft, changeRecord, useRecordAnswer } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { wantedBefore } from '../../client/states.ts'
import { StateMenu } from '../../components/state-menu.tsx'
import { StateQuestions } from '../../components/state-questions.tsx'
import { useDone } from './done.ts'

/** The states that a record may be led to, opened at what stands inside it; what such a step wants to know is asked first. */
export function RecordState({
  entry,
  id,
  isOpen,
  told,
  close,
  children,
}: {
  entry: KindEntry
  id: string
  isOpen: boolean
  told: (error: unknown) => void
  close: () => void
  children: ReactElement
}) {
  const kind = useKindOfRecords(entry)
  const [machine] = kind.states
  const read = useRecordAnswer(kind, 'get', { id })
  const [asking, setAsking] = useState<string | null>(null)
  const record = read.data
  const signedIn = useSignedIn()
  const done = useDone()
  const send = async (change: Values) => {
    const before = record!
    const after = await changeRecord(kind, before, change, callLeft(kind, machine!.field, signedIn))
    await done({ kind, machine: machine!, before, after })
  }
  const moving = useMutation({
    mutationFn: send,
    onError: (error) => {
      told(error)
      void read.refetch()
    },
  })
  const fault = read.error
  useEffect(() => {
    if (!fault) return
    told(fault)
    close()
  }, [fault, told, close])
  if (!record || !machine) return children
  const choose = (state: string) => {
    const change = { [machine.field]: state }
    if (wantedBefore(kind, record, change)) setAsking(state)
    else moving.mutate(change)
  }
  return (
    <>
      {isOpen ? (
        <StateMenu kind={kind} machine={machine} record={record} choose={choose} close={close}>
          {children}
        </StateMenu>
      ) : (
        children
      )}
      {asking !== null && (
        <StateQuestions
          kind={kind}
          targets={[record]}
          field={machine.field}
          state={asking}
          send={(changeOf) => send(changeOf(record))}
          close={() => setAsking(null)}
        />
      )}
    </>
  )
}
