import { Box, Button, Checkbox, Group, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../client/calls.ts'
import { type BulkChange, sendImportFile } from '../../client/send-file.ts'
import { useSignedIn } from '../../client/session.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { PlaceInput } from '../../components/place-input.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { importing } from '../../copy/imports.ts'
import { forgetRows } from './forget-rows.ts'

const words = importing.columns

/** What is set by the service, and of use all the same. */
const READ_ONLY: Readonly<Record<string, string>> = {
  id: words.finds,
  reference: words.finds,
  updatedAt: words.checks,
  source: words.judged,
}

interface FileColumn {
  readonly id: string
  readonly index: number
  readonly title: string
  readonly samples: readonly string[]
}

/** What each column of a file is taken for, which record a row is about, and what empty cells do. */
export function Columns({
  bulk,
  file,
  another,
  changed,
  planned,
}: {
  bulk: BulkChange
  file: File | null
  another: () => void
  changed: () => Promise<void>
  planned: () => Promise<void>
}) {
  const [keys, setKeys] = useState(() => bulk.columns?.map(({ key }) => key) ?? [])
  const [identity, setIdentity] = useState(bulk.identity)
  const [clearsEmpty, setClearsEmpty] = useState(bulk.clearsEmpty)
  const [dates, setDates] = useState(bulk.dates)
  const { organization } = useSignedIn()
  const hasAmounts = bulk.fields.some(({ key, isAmount }) => isAmount && keys.includes(key))
  const [currency, setCurrency] = useState(
    bulk.stage !== 'read' && hasAmounts ? bulk.currency : organization.currency,
  )
  const planning = useMutation({
    mutationFn: () =>
      call('planImport', {
        id: bulk.id,
        columns: keys,
        ...{ identity, clearsEmpty, dates, currency: hasAmounts ? currency : null },
      }),
    onSuccess: async () => {
      forgetRows()
      await planned()
    },
  })
  const choosing = useMutation({
    mutationFn: (read: { sheet?: string; headRow?: number }) => sendImportFile({ id: bulk.id }, file!, read),
    onSuccess: async (read) => {
      setKeys(read.columns?.map(({ key }) => key) ?? [])
      setDates(read.dates)
      await changed()
    },
  })
  const { fields } = bulk
  const choices = [
    { value: '', label: words.leftOut },
    ...fields
      .filter(({ isTaken, key }) => isTaken || key in READ_ONLY)
      .map(({ key, title, isTaken }) => ({
        value: key,
        label: isTaken ? title : `${title} (${READ_ONLY[key]})`,
      })),
  ]
  const choose = (index: number, key: string | null) =>
    setKeys(keys.map((one, place) => (place === index ? key : one === key && key !== null ? null : one)))
  const all: FileColumn[] = (bulk.columns ?? []).map(({ title, samples }, index) => ({
    id: String(index),
    index,
    title: title || words.unnamed(index + 1),
    samples,
  }))
  // A file that was taken out here has much that follows from the rest: nobody has to go through that.
  const isSet = ({ index }: FileColumn) => {
    const field = fields.find(({ key }) => key === keys[index])
    const isLinked = field !== undefined && !field.isTaken && !(field.key in READ_ONLY)
    return isLinked || (keys[index] === null && bulk.columns?.[index]?.isSet === true)
  }
  const rows = all.filter((column) => !isSet(column))
  const fromOf = ({ index }: FileColumn) => fields.find(({ key }) => key === keys[index])?.linkedFrom ?? null
  const ours = all.filter((column) => isSet(column) && !fromOf(column))
  const linked = all.filter(isSet).flatMap((column) => {
    const from = fromOf(column)
    return from ? [{ ...column, from }] : []
  })
  const columns: Column<FileColumn>[] = [
    { label: words.inFile, cell: ({ title }) => <strong>{title}</strong> },
    {
      label: words.samples,
      cell: ({ samples }) => (
        <Text size="sm" c="dimmed" lineClamp={2}>
          {samples.join(' · ')}
        </Text>
      ),
    },
    {
      label: words.meaning,
      cell: ({ index, title }) => {
        const key = keys[index] ?? null
        const isKnown = key === null || choices.some(({ value }) => value === key)
        const custom = customFieldOf(title)
        const offered =
          custom === null || fields.some((field) => field.key === custom)
            ? choices
            : [...choices, { value: custom, label: words.custom(title) }]
        const pairs = pairsOf(bulk, index, key)
        return (
          <>
            <NativeSelect
              size="xs"
              aria-label={words.meaningOf(title)}
              data={
                isKnown || key === custom
                  ? offered
                  : [...offered, { value: key, label: key.replace('customFields.', '') }]
              }
              value={key ?? ''}
              onChange={({ currentTarget: { value } }) => choose(index, value || null)}
            />
            {pairs.length > 0 && (
              <Text size="xs" c="dimmed" ta="left" pt={4} lineClamp={3}>
                {words.translates(pairs)}
              </Text>
            )}
          </>
        )
      },
    },
  ]
  const titleOf = (key: string) => fields.find((field) => field.key === key)?.title
  const missing = fields.filter(
    ({ key, isRequired, madeOf }) =>
      isRequired &&
      !keys.includes(key) &&
      !madeOf.some((part) => keys.includes(part)) &&
      !bulk.notes.some(({ code, field }) => code === 'left_as_other' && field === titleOf(key)),
  )
  const made = fields.filter(
    ({ key, madeOf }) => !keys.includes(key) && madeOf.some((part) => keys.includes(part)),
  )
  const keyFields = fields.filter(({ key, isKey }) => isKey && keys.includes(key))
  const { file: told } = bulk
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {words.title}
      </Title>
      <Text size="sm" c="dimmed">
        {words.text(bulk.rowCount, told?.name ?? '')}
      </Text>
      {told && told.sheets.length > 1 && file && (
        <NativeSelect
          label={words.sheet}
          data={told.sheets}
          value={told.sheet ?? ''}
          disabled={choosing.isPending}
          maw={320}
          onChange={({ currentTarget: { value } }) => choosing.mutate({ sheet: value })}
        />
      )}
      {told && told.headRow !== null && (
        <Head
          told={told}
          canChoose={file !== null}
          isPending={choosing.isPending}
          choose={(read) => choosing.mutate(read)}
        />
      )}
      <ProblemAlert error={choosing.error ?? planning.error} />
      <DataTable label={words.label} rows={rows} columns={columns} />
      {ours.length > 0 && (
        <Text size="sm" c="dimmed">
          {words.set(ours.map(({ title }) => title))}
        </Text>
      )}
      {linked.map(({ index, title, from }) => (
        <Text key={index} size="sm" c="dimmed">
          {words.linkedFrom(title, from)}
        </Text>
      ))}
      {made.map(({ key, title, madeOf }) => (
        <Text key={key} size="sm">
          {words.made(
            title,
            madeOf.flatMap((part) => (keys.includes(part) ? (titleOf(part) ?? []) : [])),
          )}
        </Text>
      ))}
      {missing.length > 0 && <Text size="sm">{words.missing(missing.map(({ title }) => title))}</Text>}
      <NativeSelect
        label={words.identity}
        maw={520}
        value={identity}
        onChange={({ currentTarget: { value } }) => setIdentity(value)}
        data={[
          { value: 'known', label: words.known },
          ...keyFields.map(({ key, title }) => ({ value: key, label: words.byKey(title) })),
          { value: 'none', label: words.none },
        ]}
      />
      {fields.some(({ key, isDate, isTaken }) => isDate && isTaken && keys.includes(key)) && (
        <NativeSelect
          label={words.dates}
          description={
            bulk.datesFrom && dates === bulk.dates ? words.datesFrom[bulk.datesFrom] : words.datesHint
          }
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maw={520}
          value={dates ?? ''}
          onChange={({ currentTarget: { value } }) => setDates((value || null) as typeof dates)}
          data={[
            { value: '', label: words.datesOpen },
            { value: 'day_first', label: words.dayFirst },
            { value: 'month_first', label: words.monthFirst },
          ]}
        />
      )}
      {hasAmounts && (
        <Box maw={520}>
          <PlaceInput
            place="currency"
            label={words.currency}
            description={words.currencyHint}
            value={currency}
            change={setCurrency}
          />
        </Box>
      )}
      <Checkbox
        label={words.empty}
        checked={clearsEmpty}
        onChange={({ currentTarget: { checked } }) => setClearsEmpty(checked)}
      />
      <Group>
        <Button
          onClick={() => planning.mutate()}
          loading={planning.isPending}
          disabled={keys.every((key) => key === null)}
        >
          {words.plan}
        </Button>
        <Button variant="default" onClick={another}>
          {importing.file.another}
        </Button>
      </Group>
    </Stack>
  )
}

/** Where a column has no field, its values can become a custom field of the same name. */
const customFieldOf = (title: string): string | null =>
  title !== '' && title.length <= 100 && !title.includes('.') ? `customFields.${title}` : null

/** What words in a column were said to stand for, by the choices of the field that it is taken for. */
function pairsOf({ columns, fields, people }: BulkChange, index: number, key: string | null) {
  const of = fields.find((field) => field.key === key)
  return Object.entries(columns?.[index]?.meanings ?? {}).flatMap(([word, choice]) => {
    const title = of?.isPerson ? people[choice] : of?.choices?.find((one) => one.key === choice)?.title
    return title === undefined ? [] : [[word, title] as const]
  })
}

/** Which row at the top names the columns, and what is left out above it. */
function Head({
  told: { sheet, headRow, top },
  canChoose,
  isPending,
  choose,
}: {
  told: NonNullable<BulkChange['file']>
  /** Not once the page has the file no more. */
  canChoose: boolean
  isPending: boolean
  choose: (read: { sheet?: string; headRow: number }) => void
}) {
  const above = top.filter(({ row }) => row < headRow!)
  return (
    <>
      {top.length > 1 && canChoose && (
        <NativeSelect
          label={words.head}
          data={top.map(({ row, text }) => ({ value: String(row), label: words.headOf(row, text) }))}
          value={String(headRow)}
          disabled={isPending}
          maw={520}
          onChange={({ currentTarget: { value } }) =>
            choose({ ...(sheet === null ? {} : { sheet }), headRow: Number(value) })
          }
        />
      )}
      {above.length > 0 && (
        <Text size="sm">
          {words.above(
            headRow!,
            above.map(({ text }) => text),
          )}
        </Text>
      )}
    </>
  )
}
