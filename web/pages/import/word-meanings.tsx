import { Anchor, Button, Checkbox, Group, NativeSelect, Stack, Text, Title } from '@mantine/core'
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
import { PersonChoice } from './person-choice.tsx'

const words = importing.unknown

interface Word {
  readonly id: string
  readonly column: number
  /** In which columns it is said what it stands for. */
  readonly columns: readonly number[]
  readonly title: string
  readonly word: string
  /** The choice that it stands for by now, or the person; null of one that stands for none. */
  readonly choice: Meant | null
  readonly count: number
  /** The key of the choice that it probably means. */
  readonly proposed: string | null
  /** Null where it stands for somebody. */
  readonly choices: readonly { key: string; title: string }[] | null
}

interface Meant {
  readonly id: string
  readonly name: string
}

/**
 * Words in a file that no choice or person is called by. What each stands for is said here and remembered with the
 * columns; and what was said before is shown, so that it is changed or forgotten.
 */
export function WordMeanings({ bulk, planned }: { bulk: BulkChange; planned: () => Promise<void> }) {
  const { data } = useSummary(bulk)
  const [isAll, setIsAll] = useState(false)
  const [said, setSaid] = useState<ReadonlyMap<string, Meant | null>>(new Map())
  const wordOf = (field: string | null, one: Omit<Word, 'id' | 'columns' | 'title' | 'choices'>): Word[] => {
    const of = bulk.fields.find(({ key }) => key === field)
    const title = bulk.columns?.[one.column]?.title ?? ''
    const id = JSON.stringify([one.column, one.word])
    return of?.choices || of?.isPerson
      ? [{ ...one, columns: [one.column], id, title, choices: of.choices }]
      : []
  }
  const unknown = (data?.problems ?? []).flatMap(({ column, field, unknown }) =>
    column === null
      ? []
      : unknown.flatMap(({ value: word, count, proposed }) =>
          wordOf(field, { column, word, count, choice: null, proposed }),
        ),
  )
  const choices = together(unknown.filter((word) => word.choices))
  const names = together(unknown.filter((word) => !word.choices))
  const translated = (data?.translated ?? []).flatMap(({ field, choice, title, ...one }) =>
    wordOf(field, { ...one, choice: { id: choice, name: title }, proposed: null }),
  )
  // What was said of earlier files is in the way of whoever looks at this one.
  const [here, elsewhere] = [translated.filter(isHere), translated.filter((word) => !isHere(word))]
  const meantBy = (word: Word): Meant | null => {
    if (said.has(word.id)) return said.get(word.id)!
    const proposed = word.choices?.find(({ key }) => key === word.proposed)
    return proposed ? { id: proposed.key, name: proposed.title } : word.choice
  }
  const changed = [...choices, ...names, ...translated].filter(
    (word) => meantBy(word)?.id !== word.choice?.id,
  )
  // Columns in which values match nothing, or in which those are left empty already.
  const wasEmptied = (bulk.columns ?? []).flatMap(({ emptiesUnmatched }, at) =>
    emptiesUnmatched ? [at] : [],
  )
  const [emptied, setEmptied] = useState<readonly number[] | null>(null)
  const emptying = emptied ?? wasEmptied
  const isEmptyingChanged = emptying.toString() !== wasEmptied.toString()
  const unmatched = [
    ...new Set([
      ...wasEmptied,
      ...(data?.problems ?? []).flatMap(({ column, unknown }) =>
        column !== null && unknown.length > 0 ? [column] : [],
      ),
    ]),
  ].toSorted((one, other) => one - other)
  const planning = useMutation({
    mutationFn: () =>
      call('planImport', {
        id: bulk.id,
        columns: bulk.columns?.map(({ key }) => key) ?? [],
        identity: bulk.identity,
        clearsEmpty: bulk.clearsEmpty,
        dates: bulk.dates,
        currency: bulk.currency,
        meanings: changed.flatMap((one) =>
          one.columns.map((column) => ({ column, word: one.word, choice: meantBy(one)?.id ?? null })),
        ),
        emptyUnmatched: [...emptying],
      }),
    onSuccess: async () => {
      forgetRows()
      setSaid(new Map())
      setEmptied(null)
      await planned()
    },
  })
  if (unmatched.length + translated.length === 0) return null
  const isShown = isAll || unmatched.length + here.length > 0
  const titleOf = (column: number) => bulk.columns?.[column]?.title ?? ''
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
          columns={columnsOf(none, meantBy, (id, meant) => setSaid(new Map(said).set(id, meant)))}
        />
      </>
    )
  return (
    <Stack gap="xs">
      <ProblemAlert error={planning.error} />
      {table(words.names, words.namesText, names, words.none)}
      {table(words.title, words.text, choices, words.none)}
      {table(words.translated, words.translatedText, isAll ? translated : here, words.forget)}
      {unmatched.map((column) => (
        <Checkbox
          key={column}
          size="sm"
          label={words.empty(titleOf(column))}
          checked={emptying.includes(column)}
          onChange={({ currentTarget: { checked } }) =>
            setEmptied(unmatched.filter((one) => (one === column ? checked : emptying.includes(one))))
          }
        />
      ))}
      {wasEmptied.map((column) => (
        <Text key={column} size="sm" c="dimmed">
          {words.emptied(titleOf(column), ...shownOf(data?.emptied ?? [], column))}
        </Text>
      ))}
      {elsewhere.length > 0 && (
        <Anchor
          component="button"
          type="button"
          size="sm"
          style={{ alignSelf: 'flex-start' }}
          aria-expanded={isAll}
          onClick={() => setIsAll(!isAll)}
        >
          {isAll ? words.hideElsewhere : words.showElsewhere(elsewhere.length)}
        </Anchor>
      )}
      {isShown && (
        <Group>
          <Button
            variant="default"
            onClick={() => planning.mutate()}
            loading={planning.isPending}
            disabled={changed.length === 0 && !isEmptyingChanged}
          >
            {words.plan}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

const VALUES_SHOWN = 6

/** Some of the values of a column that are left empty, and how many there are besides. */
function shownOf(
  emptied: readonly { column: number; value: string }[],
  column: number,
): [values: readonly string[], more: number] {
  const values = emptied.flatMap((one) => (one.column === column ? [one.value] : []))
  return [values.slice(0, VALUES_SHOWN), Math.max(0, values.length - VALUES_SHOWN)]
}

/** As the service takes words for the same: whatever their capitals and signs. */
const letters = new Intl.Collator('en', { sensitivity: 'accent', ignorePunctuation: true })

const isHere = ({ count }: Word): boolean => count > 0

/** A name, or a word among the same choices, that stands in several columns is one question. */
function together(all: readonly Word[]): readonly Word[] {
  const told: Word[] = []
  const isSame = (one: Word, other: Word) =>
    letters.compare(one.word, other.word) === 0 &&
    JSON.stringify(one.choices) === JSON.stringify(other.choices)
  for (const word of all) {
    const at = told.findIndex((one) => isSame(one, word))
    const before = told[at]
    if (!before) told.push(word)
    else
      told[at] = {
        ...before,
        // Whom a name stands for is said once for all of them.
        columns: word.choices ? [...new Set([...before.columns, ...word.columns])] : before.columns,
        title: [...new Set([...before.title.split(words.and), word.title])].join(words.and),
        count: before.count + word.count,
      }
  }
  return told
}

const columnsOf = (
  none: string,
  meantBy: (word: Word) => Meant | null,
  say: (id: string, meant: Meant | null) => void,
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
    cell: (one) => {
      const { id, word, choices } = one
      const meant = meantBy(one)
      if (!choices)
        return (
          <PersonChoice
            label={words.meaningOf(word)}
            name={meant?.name ?? null}
            none={none}
            choose={(chosen) => say(id, chosen)}
          />
        )
      return (
        <NativeSelect
          size="xs"
          aria-label={words.meaningOf(word)}
          data={[
            { value: '', label: none },
            ...choices.map(({ key, title }) => ({ value: key, label: title })),
          ]}
          value={meant?.id ?? ''}
          onChange={({ currentTarget: { value } }) =>
            say(id, value ? { id: value, name: choices.find(({ key }) => key === value)!.title } : null)
          }
        />
      )
    },
  },
]
