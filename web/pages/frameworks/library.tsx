import { Anchor, Button, Group, Stack } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { Output } from '../../client/calls.ts'
import { fetchCode } from '../../client/fetch-code.ts'
import { kindIndex } from '../../client/kinds.ts'
import { listAddress } from '../../client/list-address.ts'
import { mayDo, readRecordsAgain, recordQuery } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { readAgain, useAnswer } from '../../client/use-answer.ts'
import { useKind } from '../../client/use-kind.ts'
import { AppLink } from '../../components/app-link.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { RecordLink } from '../../components/record-link.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { countWord } from '../../copy/counts.ts'
import { frameworks } from '../../copy/frameworks.ts'
import { carryOut } from './carry-out.ts'
import styles from './frameworks.module.css'
import { ImportFrameworkFile } from './import-file.tsx'

const words = frameworks.library

/* Shared by a third page, it would come with pages that have none. */
const RecordOperations = lazy(() =>
  fetchCode(() => import('../record/operations.tsx')).then((code) => ({ default: code.RecordOperations })),
)

type Offered = Output<'listFrameworkLibrary'>['data'][number] & { id: string }

/** Frameworks that the service brings along: which are here, and the way to bring in another. */
export function FrameworkLibraryPage() {
  const kind = useKind(kindIndex.framework)
  const mayAdd = mayDo(kind, 'create', useSignedIn())
  const library = useAnswer('listFrameworkLibrary', {})
  const here = useQuery(recordQuery(kind, 'list', { limit: 200 }))
  const importing = useImport()
  const recordOf = ({ frameworkId }: Offered) => here.data?.data.find(({ id }) => id === frameworkId)
  const columns: Column<Offered>[] = [
    {
      label: words.columns.name,
      cell: ({ name, edition, publisher, frameworkId }) => (
        <>
          {frameworkId === null ? (
            name
          ) : (
            <RecordLink kind={kind} id={frameworkId}>
              {name}
            </RecordLink>
          )}
          <div className={styles.about}>{[publisher, edition].filter(Boolean).join(' · ')}</div>
        </>
      ),
    },
    { label: words.columns.asks, cell: ({ assessable }) => countWord(assessable) },
    {
      label: words.columns.status,
      cell: (offered) => {
        const record = recordOf(offered)
        return record ? (
          <StateMark kind={kind} field="status" state={String(record.status)} />
        ) : (
          <span className={styles.about}>{offered.frameworkId === null && words.notHere}</span>
        )
      },
    },
    {
      label: words.columns.acts,
      hidden: true,
      cell: (offered) => {
        const record = recordOf(offered)
        return (
          <Group gap="xs" justify="flex-end">
            {record && (
              <Suspense>
                <RecordOperations kind={kind} record={record} only={['activateFramework']} />
              </Suspense>
            )}
            {offered.frameworkId === null && mayAdd && (
              <Button
                variant="default"
                size="compact-md"
                aria-label={words.bringInOne(offered.name)}
                loading={importing.isPending && importing.variables === offered.library}
                disabled={importing.isPending}
                onClick={() => importing.mutate(offered.library)}
              >
                {words.bringIn}
              </Button>
            )}
          </Group>
        )
      },
    },
  ]
  return (
    <Stack gap="lg">
      <PageHead
        title={words.title}
        text={words.text}
        action={mayAdd && <ImportFrameworkFile done={readHereAgain} />}
      />
      <ProblemAlert error={importing.error} />
      <Loaded query={library} lines={9}>
        {({ data }) => (
          <DataTable
            label={words.title}
            columns={columns}
            rows={data.map((one) => ({ ...one, id: one.library }))}
          />
        )}
      </Loaded>
      <Anchor component={AppLink} href={listAddress(kind)} size="sm">
        {words.register}
      </Anchor>
    </Stack>
  )
}

/** Brings in a framework of the library. */
function useImport() {
  const guarded = useGuardedCall()
  return useMutation({
    mutationFn: async (library: string) => {
      const { id } = await guarded('startFrameworkImport', { library: library as never })
      await carryOut(guarded, id)
    },
    onSettled: readHereAgain,
  })
}

const readHereAgain = (): Promise<unknown> =>
  Promise.all([readAgain('listFrameworkLibrary'), readRecordsAgain(kindIndex.framework)])
