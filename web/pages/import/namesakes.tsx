import { Alert, Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { KindEntry } from '../../../model/described-kind.ts'
import { call } from '../../client/calls.ts'
import type { BulkChange } from '../../client/send-file.ts'
import { useSummary } from '../../components/bulk-change/groups.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { importing } from '../../copy/imports.ts'
import { forgetRows } from './forget-rows.ts'

const words = importing.namesakes

/** That rows may be about records that are here already, and the one step by which they are. */
export function Namesakes({
  bulk,
  kind,
  planned,
}: {
  bulk: BulkChange
  kind: KindEntry
  planned: () => Promise<void>
}) {
  const found = useSummary(bulk).data?.namesakes
  const planning = useMutation({
    mutationFn: (identity: string) =>
      call('planImport', {
        id: bulk.id,
        columns: bulk.columns?.map(({ key }) => key) ?? [],
        identity,
        clearsEmpty: bulk.clearsEmpty,
        dates: bulk.dates,
        currency: bulk.currency,
      }),
    onSuccess: async () => {
      forgetRows()
      await planned()
    },
  })
  if (!found) return null
  const { field, title, isUnique, count } = found
  return (
    <Alert
      color="yellow"
      title={isUnique ? words.titleOfUnique(count, title, kind.noun) : words.title(count, kind.noun)}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{isUnique ? words.textOfUnique(title) : words.text}</Text>
        <ProblemAlert error={planning.error} />
        <Button
          variant="default"
          size="xs"
          loading={planning.isPending}
          onClick={() => planning.mutate(field)}
        >
          {words.match(title)}
        </Button>
      </Stack>
    </Alert>
  )
}
