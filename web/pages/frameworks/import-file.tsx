import { Button, FileButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { sendBytes } from '../../client/send.ts'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { frameworks } from '../../copy/frameworks.ts'
import type { FrameworkImport } from './carry-out.ts'
import { ImportPlanDialog } from './import-plan.tsx'
import { type SaidOfTable, TableDialog } from './table-dialog.tsx'

const words = frameworks.importing

/** A table has rows alone: which framework they are of is said beside it. */
const TABLE = /\.(csv|tsv|xlsx)$/i

/** Brings in a framework of a file: what it would come to is shown before anything is written. */
export function ImportFrameworkFile({ done }: { done: () => Promise<unknown> }) {
  const guarded = useGuardedCall()
  const [imported, setImported] = useState<FrameworkImport | null>(null)
  const reading = useMutation({
    mutationFn: async ({ file, said }: { file: File; said: SaidOfTable | null }) => {
      const { id } = await guarded('startFrameworkImport', { fileName: file.name, ...said })
      const query = new URLSearchParams({ id })
      return (await sendBytes(`/web/sendFrameworkFile?${query}`, file)) as FrameworkImport
    },
    onSuccess: setImported,
  })
  const [table, setTable] = useState<File | null>(null)
  const choose = (file: File | null) => {
    if (!file) return
    if (TABLE.test(file.name)) setTable(file)
    else reading.mutate({ file, said: null })
  }
  return (
    <>
      <FileButton accept=".json,.yaml,.yml,.xml,.zip,.csv,.tsv,.xlsx" onChange={choose}>
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
      {!table && !imported && <ProblemAlert error={reading.error} />}
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
      {!table && reading.variables && imported?.plan && (
        <ImportPlanDialog
          // A corrected table is another import, with choices of its own.
          key={imported.id}
          id={imported.id}
          plan={imported.plan}
          done={done}
          readAgain={{
            read: (columns) => {
              const { file, said } = reading.variables
              reading.mutate({ file, said: { ...said, ...columns } })
            },
            isReading: reading.isPending,
            error: reading.error,
          }}
          close={() => {
            setImported(null)
            reading.reset()
          }}
        />
      )}
    </>
  )
}
