import { Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Values } from '../../../model/complaint.ts'
import type { KindEntry } from '../../../model/described-kind.ts'
import { useKindOfRecords } from '../../client/custom-fields.ts'
import { queries } from '../../client/queries.ts'
import { callLeft, changeRecord, mayDo, recordQuery, useRecordAnswer } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { readAgain } from '../../client/use-answer.ts'
import { useIsTheirs } from '../../client/waiting.ts'
import { Loaded } from '../../components/loaded.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { Steps } from '../../components/steps.tsx'

const NOTHING: Values = {}

/** The steps of a record, ticked where it stands among others. */
export function RecordSteps({ entry, id }: { entry: KindEntry; id: string }) {
  const kind = useKindOfRecords(entry)
  const record = useRecordAnswer(kind, 'get', { id })
  const signedIn = useSignedIn()
  const isTheirs = useIsTheirs(kind, record.data ?? NOTHING)
  const isOffered = (mayDo(kind, 'update', signedIn) || isTheirs) && !record.data?.archivedAt
  const ticking = useMutation({
    // One after the other, each on the version that the last one made.
    scope: { id },
    mutationFn: (change: Values) => {
      const before = queries.getQueryData(recordQuery(kind, 'get', { id }).queryKey)!
      const [field = ''] = Object.keys(change)
      return changeRecord(kind, before, change, callLeft(kind, field, signedIn))
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
                    ((ticking.isPending ? ticking.variables : data)[field.name] as Values[] | null) ?? []
                  }
                  {...(isOffered && {
                    change: (items: readonly Values[]) => ticking.mutate({ [field.name]: items }),
                  })}
                />
              ),
          )}
        </Stack>
      )}
    </Loaded>
  )
}
