import { Anchor, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { KindEntry } from '../../model/described-kind.ts'
import { PAGES } from '../../model/pages.ts'
import { call } from '../client/calls.ts'
import { fetchCode } from '../client/fetch-code.ts'
import { kindAt } from '../client/kinds.ts'
import { mayDo } from '../client/records.ts'
import type { BulkChange } from '../client/send-file.ts'
import { useSignedIn } from '../client/session.ts'
import { readAgain } from '../client/use-answer.ts'
import { AppLink } from '../components/app-link.tsx'
import { Loaded } from '../components/loaded.tsx'
import { PageMissing } from '../components/page-fault.tsx'
import { PageHead } from '../components/page-head.tsx'
import { importing as words } from '../copy/imports.ts'
import { ChooseFile } from './import/choose-file.tsx'
import { Columns } from './import/columns.tsx'

const ImportPlan = lazy(() =>
  fetchCode(() => import('./import/plan.tsx')).then((all) => ({ default: all.ImportPlan })),
)
const Imports = lazy(() =>
  fetchCode(() => import('./import/imports.tsx')).then((all) => ({ default: all.Imports })),
)

/** Brings a file of records in: the file, its columns, what would change, and what became of it. */
export function ImportPage() {
  const { register } = useParams({ strict: false }) as { register?: string }
  const kind = kindAt(register)
  const signedIn = useSignedIn()
  return kind && mayDo(kind, 'create', signedIn) ? <Import key={kind.name} kind={kind} /> : <PageMissing />
}

function Import({ kind }: { kind: KindEntry }) {
  const { id } = useSearch({ strict: false }) as { id?: string }
  const navigate = useNavigate()
  // What a page cannot be given again by its address: for another sheet it is sent once more.
  const [file, setFile] = useState<File | null>(null)
  const show = (next: BulkChange | null) =>
    void navigate({
      to: `/import/${kind.page}` as '/',
      search: (next ? { id: next.id } : {}) as never,
      replace: true,
    })
  const { many } = kind.noun
  const ways = [
    [`/${kind.page}`, words.back(many)],
    ...(isAsked(kind) ? [[PAGES.frameworkLibrary, words.catalog] as const] : []),
  ] as const
  const back = (
    <Stack gap={4} align="flex-end">
      {ways.map(([href, label]) => (
        <Anchor key={href} component={AppLink} href={href} size="sm">
          {label}
        </Anchor>
      ))}
    </Stack>
  )
  return (
    <Stack gap="lg" maw={1100}>
      <PageHead title={words.title(many)} text={words.text} action={back} />
      {id === undefined ? (
        <>
          <ChooseFile
            kind={kind}
            read={(bulk, chosen) => {
              setFile(chosen)
              show(bulk)
            }}
          />
          <Suspense>
            <Imports kind={kind} />
          </Suspense>
        </>
      ) : (
        <Begun key={id} id={id} kind={kind} file={file} another={() => show(null)} />
      )}
    </Stack>
  )
}

/** A catalog of what is asked comes in as a whole, on a page of its own. */
const isAsked = ({ name }: KindEntry): boolean => name === 'framework' || name === 'requirement'

const OFTEN = 700

function Begun({
  id,
  kind,
  file,
  another,
}: {
  id: string
  kind: KindEntry
  file: File | null
  another: () => void
}) {
  const [isMapping, setIsMapping] = useState(false)
  const query = useQuery({
    queryKey: ['getBulkChange', { id }],
    queryFn: () => call('getBulkChange', { id }),
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data) ? OFTEN : false),
  })
  const refetch = async () => {
    void readAgain('listBulkChanges')
    await query.refetch()
  }
  return (
    <Loaded query={query} lines={6}>
      {(bulk) =>
        bulk.stage === 'begun' || bulk.stage === 'read' || isMapping ? (
          <Columns
            bulk={bulk}
            file={file}
            another={another}
            changed={refetch}
            planned={async () => {
              await refetch()
              setIsMapping(false)
            }}
          />
        ) : (
          <Suspense>
            <ImportPlan
              bulk={bulk}
              kind={kind}
              map={() => setIsMapping(true)}
              changed={refetch}
              another={another}
            />
          </Suspense>
        )
      }
    </Loaded>
  )
}

const isUnderWay = ({ stage, job, undoState }: BulkChange): boolean =>
  ((stage === 'planning' || stage === 'applying') && job?.endedAt === null) || undoState === 'running'
