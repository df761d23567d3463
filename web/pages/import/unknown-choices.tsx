import { Button, Group, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../client/calls.ts'
import { queries } from '../../client/queries.ts'
import type { BulkChange } from '../../client/send-file.ts'
import { useSummary } from '../../components/bulk-change/groups.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { countWord } from '../../copy/counts.ts'
import { importing } from '../../copy/imports.ts'

const words = importing.unknown

interface Unknown {
  readonly id: string
  readonly column: number
  readonly title: string
  readonly word: string
  readonly count: number
  readonly choices: readonly { key: string; title: string }[]
}

/** Words in a file that no choice is called by: what each stands for is said here, and remembered with the columns. */
export function UnknownChoices({ bulk, planned }: { bulk: BulkChange; planned: () => Promise<void> }) {
  const { data } = useSummary(bulk)
  const [said, setSaid] = useState<ReadonlyMap<string, string>>(new Map())
  const rows = (data?.problems ?? []).flatMap(({ column, field, unknown }) => {
    const choices = bulk.fields.find(({ key }) => key === field)?.choices
    if (column === null || !choices) return []
    const title = bulk.columns?.[column]?.title ?? ''
    return unknown.map(({ value: word, count }): Unknown => {
      const id = JSON.stringify([column, word])
      return { id, column, title, word, count, choices }
    })
  })
  const planning = useMutation({
    mutationFn: () =>
      call('planImport', {
        id: bulk.id,
        columns: bulk.columns?.map(({ key }) => key) ?? [],
        identity: bulk.identity,
        clearsEmpty: bulk.clearsEmpty,
        meanings: rows.flatMap(({ id, column, word }) => {
          const choice = said.get(id)
          return choice ? [{ column, word, choice }] : []
        }),
      }),
    onSuccess: async () => {
      for (const name of ['listBulkChangeRows', 'summarizeBulkChange'])
        queries.removeQueries({ queryKey: [name] })
      await planned()
    },
  })
  if (rows.length === 0) return null
  const columns: Column<Unknown>[] = [
    { label: importing.plan.column, cell: ({ title }) => title },
    {
      label: words.word,
      cell: ({ word, count }) => (
        <Group gap="xs">
          <strong>{word}</strong>
          <Text span size="xs" c="dimmed">
            {words.times(countWord(count))}
          </Text>
        </Group>
      ),
    },
    {
      label: words.meaning,
      cell: ({ id, word, choices }) => (
        <NativeSelect
          size="xs"
          aria-label={words.meaningOf(word)}
          data={[
            { value: '', label: words.none },
            ...choices.map(({ key, title }) => ({ value: key, label: title })),
          ]}
          value={said.get(id) ?? ''}
          onChange={({ currentTarget: { value } }) => setSaid(new Map(said).set(id, value))}
        />
      ),
    },
  ]
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {words.title}
      </Title>
      <Text size="sm" c="dimmed">
        {words.text}
      </Text>
      <ProblemAlert error={planning.error} />
      <DataTable label={words.title} rows={rows} columns={columns} />
      <Group>
        <Button
          variant="default"
          onClick={() => planning.mutate()}
          loading={planning.isPending}
          disabled={[...said.values()].every((choice) => choice === '')}
        >
          {words.plan}
        </Button>
      </Group>
    </Stack>
  )
}
