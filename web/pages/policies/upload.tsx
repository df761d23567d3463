import {
  Alert,
  Anchor,
  Box,
  Button,
  Checkbox,
  FileButton,
  Group,
  NativeSelect,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { fieldsOf } from '../../client/fields.ts'
import { kindIndex } from '../../client/kinds.ts'
import { listAddress } from '../../client/list-address.ts'
import { Problem } from '../../client/problem.ts'
import { mayDo } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { useKind } from '../../client/use-kind.ts'
import { AppLink } from '../../components/app-link.tsx'
import { DangerDialog } from '../../components/danger-dialog.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { PageMissing } from '../../components/page-fault.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { FieldInput } from '../../components/record-form/field-input.tsx'
import { RecordLink } from '../../components/record-link.tsx'
import { DropZone } from '../../components/uploads.tsx'
import { complaintText, titlesOf } from '../../copy/complaint.ts'
import { policies } from '../../copy/policies.ts'
import { policyUpload as words } from '../../copy/policy-upload.ts'
import { optionOf } from '../../copy/records.ts'
import styles from './policies.module.css'
import { FILE_ENDINGS, TEXT_ENDINGS } from './upload/read-file.ts'
import { FILES_AT_MOST, type ForAll, isSameName, isToAdd, type Row, useRows } from './upload/rows.ts'

const ACCEPTED = [...FILE_ENDINGS, ...TEXT_ENDINGS, 'zip'].map((ending) => `.${ending}`).join(',')

/** Policies that were written elsewhere: many files at once, confirmed in one table. */
export function PolicyUploadPage() {
  return mayDo(kindIndex.policy, 'create', useSignedIn()) ? <Upload /> : <PageMissing />
}

function Upload() {
  const kind = useKind(kindIndex.policy)
  const fields = fieldsOf(kind)
  const { rows, leftOut, isAdding, take, change, lookUp, add, startOver } = useRows()
  const [forAll, setForAll] = useState<ForAll>({ owner: null, approver: null })
  const toAdd = rows.filter(isToAdd).length
  const added = rows.filter(({ state }) => state === 'added').length
  const isBusy = isAdding || rows.some(({ state }) => state === 'reading')
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => toAdd > 0 && current.pathname !== next.pathname,
    enableBeforeUnload: () => toAdd > 0,
    withResolver: true,
  })
  const columns: Column<Row>[] = [
    {
      label: words.columns.take,
      hidden: true,
      cell: ({ id, file, state, isTaken }) => (
        <Checkbox
          aria-label={words.takeOne(file.name)}
          checked={isTaken}
          disabled={state !== 'ready'}
          onChange={({ currentTarget }) => change(id, { isTaken: currentTarget.checked })}
        />
      ),
    },
    {
      label: words.columns.file,
      cell: ({ file }) => (
        <Text size="sm" className={styles.fileName}>
          <bdi>{file.name}</bdi>
        </Text>
      ),
    },
    {
      label: words.columns.name,
      cell: (row) =>
        row.state === 'ready' || row.state === 'sending' ? (
          <TextInput
            aria-label={words.nameOf(row.file.name)}
            value={row.name}
            miw="min(20rem, 50vw)"
            maxLength={200}
            disabled={!row.isTaken || row.state === 'sending'}
            onChange={({ currentTarget }) => change(row.id, { name: currentTarget.value, known: null })}
            onBlur={() => lookUp(row.id, row.name)}
          />
        ) : row.added ? (
          <RecordLink kind={kind} id={row.added.id}>
            {row.name}
          </RecordLink>
        ) : null,
    },
    {
      label: words.columns.type,
      cell: (row) =>
        row.state === 'ready' || row.state === 'sending' ? (
          <NativeSelect
            aria-label={words.typeOf(row.file.name)}
            value={row.documentType}
            miw="8rem"
            disabled={!row.isTaken || row.state === 'sending'}
            data={fields.get('documentType')!.options.map((value) => ({
              value,
              label: optionOf(fields.get('documentType')!, value),
            }))}
            onChange={({ currentTarget }) => change(row.id, { documentType: currentTarget.value })}
          />
        ) : row.state === 'added' ? (
          optionOf(fields.get('documentType')!, row.documentType)
        ) : null,
    },
    { label: words.columns.state, cell: (row) => <State row={row} rows={rows} /> },
  ]
  return (
    <DropZone take={isAdding ? undefined : take} text={words.drop}>
      <Stack gap="lg">
        <PageHead
          title={words.title}
          text={words.text}
          action={
            <Anchor component={AppLink} href={listAddress(kind)} size="sm">
              {policies.templates.register}
            </Anchor>
          }
        />
        <Group gap="sm">
          <FileButton multiple accept={ACCEPTED} disabled={isAdding} onChange={take}>
            {(props) => (
              <Button
                {...props}
                variant={rows.length === 0 ? 'filled' : 'default'}
                leftSection={<IconUpload size={16} aria-hidden />}
              >
                {words.choose}
              </Button>
            )}
          </FileButton>
          <Text size="sm" c="dimmed">
            {words.taken(FILES_AT_MOST)}
          </Text>
        </Group>
        {leftOut > 0 && <Alert role="status">{words.tooMany(leftOut, FILES_AT_MOST)}</Alert>}
        {rows.length > 0 && (
          <>
            <Group gap="lg" align="flex-start" component="section" aria-label={words.forAll}>
              {(['owner', 'approver'] as const).map((name) => (
                <Box key={name} w="min(20rem, 100%)">
                  <FieldInput
                    field={fields.get(name)!}
                    value={forAll[name]}
                    change={(value) => setForAll({ ...forAll, [name]: value })}
                  />
                </Box>
              ))}
            </Group>
            <DataTable label={words.title} columns={columns} rows={rows} />
            <Group gap="sm">
              {(isBusy || toAdd > 0) && (
                <Button loading={isAdding} disabled={isBusy} onClick={() => void add(forAll)}>
                  {words.add(toAdd)}
                </Button>
              )}
              {!isBusy && toAdd === 0 && (
                <Button variant="default" onClick={startOver}>
                  {words.again}
                </Button>
              )}
              <Text size="sm" role="status">
                {added > 0 ? words.counts(added, rows.length) : !isBusy && toAdd === 0 ? words.nothing : ''}
              </Text>
            </Group>
          </>
        )}
      </Stack>
      {blocker.status === 'blocked' && (
        <DangerDialog {...words.lose} act={async () => blocker.proceed()} close={() => blocker.reset()} />
      )}
    </DropZone>
  )
}

function State({ row, rows }: { row: Row; rows: readonly Row[] }) {
  const { id, state, isTaken, error, known, name, lost, notes } = row
  if (error)
    return (
      <Text size="sm" c="var(--mantine-color-error)" role="alert" className={styles.inLines}>
        {wrongIn(error)}
      </Text>
    )
  if (state === 'ready' && isTaken && name.trim() === '') return <Text size="sm">{words.nameless}</Text>
  if (state === 'ready' && known)
    return (
      <Text size="sm" className={styles.inLines}>
        {words.known(known.reference)}
      </Text>
    )
  const hasTwin = rows.some(
    (one) => one.id !== id && one.isTaken && name !== '' && isSameName(one.name, name),
  )
  if (state === 'ready' && hasTwin)
    return (
      <Text size="sm" className={styles.inLines}>
        {words.twice}
      </Text>
    )
  return (
    <Text size="sm" c="dimmed" className={styles.inLines}>
      {words.states[state === 'unread' || (state === 'ready' && !isTaken) ? 'left' : state]}
      {lost.length + notes.length > 0 &&
        `. ${[...lost.map((one) => policies.editor.lost[one]), ...notes].join(' ')}`}
    </Text>
  )
}

/** What is said of the file stands beside it. */
const OF_FILE: ReadonlySet<string> = new Set(['fileId', 'content'])

/** What is wrong, with the fields that are meant. */
const wrongIn = (error: unknown): string =>
  error instanceof Problem && error.errors.length > 0
    ? error.errors
        .map(({ path, message }) => complaintText(message, OF_FILE.has(path) ? [] : titlesOf(path)))
        .join(' ')
    : error instanceof Error
      ? error.message
      : String(error)
