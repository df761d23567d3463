import { Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Values } from '../../../model/complaint.ts'
import type { KindEntry } from '../../../model/described-kind.ts'
import { call } from '../../client/calls.ts'
import { useKindOfRecords } from '../../client/custom-fields.ts'
import { queries } from '../../client/queries.ts'
import {
  type AnyRecord,
  changeRecord,
  keepRecord,
  mayDo,
  recordQuery,
  useRecordAnswer,
} from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { readAgain } from '../../client/use-answer.ts'
import { Loaded } from '../../components/loaded.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { Steps } from '../../components/steps.tsx'

interface Ticked {
  readonly change: Values
  /** The one that was ticked, as it is now. */
  readonly step: Values
}

/** The steps of a record, ticked where it stands among others. */
export function RecordSteps({ entry, id }: { entry: KindEntry; id: string }) {
  const kind = useKindOfRecords(entry)
  const record = useRecordAnswer(kind, 'get', { id })
  const signedIn = useSignedIn()
  const mayChange = mayDo(kind, 'update', signedIn)
  // Whoever may change nothing else ticks the steps of what is theirs.
  const isTheirs = kind.name === 'task' && record.data?.assigneeId === signedIn.person.id
  const isOffered = (mayChange || isTheirs) && !record.data?.archivedAt
  const ticking = useMutation({
    // One after the other, each on the version that the last one made.
    scope: { id },
    mutationFn: async ({ change, step }: Ticked) => {
      const before = queries.getQueryData(recordQuery(kind, 'get', { id }).queryKey)!
      if (mayChange) return changeRecord(kind, before, change)
      const after = await call('tickTask', {
        ...{ id, ifMatch: before.version },
        ...{ stepId: String(step.id), isDone: step.isDone === true },
      })
      keepRecord(kind, after as unknown as AnyRecord)
      return after
    },
    onSettled: () => readAgain('listDeadlines', 'listUndatedWork'),
    onError: () => record.refetch(),
  })
  return (
    <Loaded query={record} lines={3}>
      {(data) => (
        <Stack gap="xs">
          <ProblemAlert error={ticking.error} />
          {Object.values(kind.fields).map(
            (field) =>
              field.ticks && (
                <Steps
                  key={field.name}
                  field={field}
                  items={
                    ((ticking.isPending ? ticking.variables.change : data)[field.name] as Values[] | null) ??
                    []
                  }
                  {...(isOffered && {
                    change: (items: readonly Values[], step: Values) =>
                      ticking.mutate({ change: { [field.name]: items }, step }),
                  })}
                />
              ),
          )}
        </Stack>
      )}
    </Loaded>
  )
}
