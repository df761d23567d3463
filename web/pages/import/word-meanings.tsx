import { Button, Group, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../client/calls.ts'
import type { BulkChange } from '../../client/send-file.ts'
import { useSummary } from '../../components/bulk-change/groups.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { countWord } from '../../copy/counts.ts'
import { importing } from '../../copy/imports.ts'
import { forgetRows } from './forget-rows.ts'

const words = importing.unknown

interface Word {
  readonly id: string
  readonly column: number
  readonly title: string
  readonly word: string
  /** The choice that it stands for by now; empty of one that stands for none. */
  readonly choice: string
  readonly count: number
  readonly choices: readonly { key: string; title: string }[]
}

/**
 * Words in a file that no choice is called by. What each stands for is said here and remembered with the columns; and
 * what was said before is shown, so that it is changed or forgotten.
 */
export function WordMeanings({ bulk, planned }: { bulk: BulkChange; planned: () => Promise<void> }) {
  const { data } = useSummary(bulk)
  const [said, setSaid] = useState<ReadonlyMap<string, string>>(new Map())
  const wordOf = (field: string | null, one: Omit<Word, 'id' | 'title' | 'choices'>): Word[] => {
    const choices = bulk.fields.find(({ key }) => key === field)?.choices
    const title = bulk.columns?.[one.column]?.title ?? ''
    return choices ? [{ ...one, id: JSON.stringify([one.column, one.word]), title, choices }] : []
  }
  const unknown = (data?.problems ?? []).flatMap(({ column, field, unknown }) =>
    column === null
      ? []
      : unknown.flatMap(({ value: word, count }) => wordOf(field, { column, word, count, choice: '' })),
  )
  const translated = (data?.translated ?? []).flatMap(({ field, ...one }) => wordOf(field, one))
  const changed = [...unknown, ...translated].filter(
    ({ id, choice }) => said.has(id) && said.get(id) !== choice,
  )
  const planning = useMutation({
    mutationFn: () =>
      call('planImport', {
        id: bulk.id,
        columns: bulk.columns?.map(({ key }) => key) ?? [],
        identity: bulk.identity,
        clearsEmpty: bulk.clearsEmpty,
        dates: bulk.dates,
        meanings: changed.map(({ id, column, word }) => ({ column, word, choice: said.get(id) || null })),
      }),
    onSuccess: async () => {
      forgetRows()
      await planned()
    },
  })
  if (unknown.length + translated.length === 0) return null
  const table = (title: string, text: string, rows: readonly Word[], none: string) =>
    rows.length > 0 && (
      <>
        <Title order={3} size="h5">
          {title}
        </Title>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
        <DataTable
          label={title}
          rows={rows}
          columns={columnsOf(none, said, (id, choice) => setSaid(new Map(said).set(id, choice)))}
        />
      </>
    )
  return (
    <Stack gap="xs">
      <ProblemAlert error={planning.error} />
      {table(words.title, words.text, unknown, words.none)}
      {table(words.translated, words.translatedText, translated, words.forget)}
      <Group>
        <Button
          variant="default"
          onClick={() => planning.mutate()}
          loading={planning.isPending}
          disabled={changed.length === 0}
        >
          {words.plan}
        </Button>
      </Group>
    </Stack>
  )
}

const columnsOf = (
  none: string,
  said: ReadonlyMap<string, string>,
  say: (id: string, choice: string) => void,
): Column<Word>[] => [
  { label: importing.plan.column, cell: ({ title }) => title },
  {
    label: words.word,
    cell: ({ word, count }) => (
      <Group gap="xs">
        <strong>{word}</strong>
        <Text span size="xs" c="dimmed">
          {count === 0 ? words.elsewhere : words.times(countWord(count))}
        </Text>
      </Group>
    ),
  },
  {
    label: words.meaning,
    cell: ({ id, word, choice, choices }) => (
      <NativeSelect
        size="xs"
        aria-label={words.meaningOf(word)}
        data={[
          { value: '', label: none },
          ...choices.map(({ key, title }) => ({ value: key, label: title })),
        ]}
        value={said.get(id) ?? choice}
        onChange={({ currentTarget: { value } }) => say(id, value)}
      />
    ),
  },
]
