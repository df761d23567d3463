import { Button, FileButton, Modal, Stack, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { sendBytes } from '../../client/send.ts'
import { FormFoot } from '../../components/form-foot.tsx'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { frameworks } from '../../copy/frameworks.ts'
import { carryOut, type FrameworkImport } from './carry-out.ts'
import { type SaidOfTable, TableDialog } from './table-dialog.tsx'

const words = frameworks.importing

type Plan = NonNullable<FrameworkImport['plan']>

/** A table has rows alone: which framework they are of is said beside it. */
const TABLE = /\.(csv|tsv|xlsx)$/i

/** Brings in a framework of a file: what it would come to is shown before anything is written. */
export function ImportFrameworkFile({ done }: { done: () => Promise<unknown> }) {
  const guarded = useGuardedCall()
  const reading = useMutation({
    mutationFn: async ({ file, said }: { file: File; said: SaidOfTable | null }) => {
      const { id } = await guarded('startFrameworkImport', { fileName: file.name, ...said })
      const query = new URLSearchParams({ id })
      return (await sendBytes(`/web/sendFrameworkFile?${query}`, file)) as FrameworkImport
    },
  })
  const [table, setTable] = useState<File | null>(null)
  const choose = (file: File | null) => {
    if (!file) return
    if (TABLE.test(file.name)) setTable(file)
    else reading.mutate({ file, said: null })
  }
  return (
    <>
      <FileButton accept=".json,.yaml,.yml,.csv,.tsv,.xlsx" onChange={choose}>
        {(props) => (
          <Button
            {...props}
            variant="default"
            size="sm"
            loading={reading.isPending}
            leftSection={<IconUpload size={16} aria-hidden />}
          >
            {words.choose}
          </Button>
        )}
      </FileButton>
      {!table && <ProblemAlert error={reading.error} />}
      {table && (
        <TableDialog
          file={table}
          read={(said) => reading.mutateAsync({ file: table, said }).then(() => setTable(null))}
          close={() => {
            setTable(null)
            reading.reset()
          }}
        />
      )}
      {reading.data?.plan && (
        <PlanDialog id={reading.data.id} plan={reading.data.plan} done={done} close={() => reading.reset()} />
      )}
    </>
  )
}

function PlanDialog({
  id,
  plan,
  done,
  close,
}: {
  id: string
  plan: Plan
  done: () => Promise<unknown>
  close: () => void
}) {
  const { outcome, framework, counts, faults, moreFaults, notes } = plan
  const guarded = useGuardedCall()
  const applying = useMutation({
    mutationFn: () => carryOut(guarded, id, outcome === 'different'),
    onSuccess: close,
    onSettled: done,
  })
  const name = framework ? words.name(framework.name, framework.edition) : ''
  const canApply = outcome === 'new' || outcome === 'different'
  return (
    <Modal opened onClose={close} title={words.title} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          applying.mutate()
        }}
      >
        <Stack>
          <Text size="sm">{words.outcomes[outcome](name, counts?.assessable ?? 0, plan)}</Text>
          {faults.length > 0 && (
            <ul aria-label={words.faults}>
              {faults.map(({ place, message }) => (
                <li key={`${place} ${message}`}>{words.fault(place, message)}</li>
              ))}
            </ul>
          )}
          {moreFaults > 0 && <Text size="sm">{words.moreFaults(moreFaults)}</Text>}
          {notes.map((note) => (
            <Text key={note} size="sm" c="dimmed">
              {note}
            </Text>
          ))}
          <ProblemAlert error={applying.error} />
          {canApply ? (
            <FormFoot submit={words.apply[outcome]} isSending={applying.isPending} cancel={close} />
          ) : (
            <Button variant="default" ml="auto" onClick={close}>
              {words.close}
            </Button>
          )}
        </Stack>
      </form>
    </Modal>
  )
}
