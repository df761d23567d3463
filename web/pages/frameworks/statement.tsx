import { Anchor, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { hasAnnex } from '../../../model/management-clause.ts'
import { nameOf } from '../../../model/roles.ts'
import { call, type Output } from '../../client/calls.ts'
import { fetchCode } from '../../client/fetch-code.ts'
import { today } from '../../client/formats.ts'
import { kindIndex } from '../../client/kinds.ts'
import { listAddress } from '../../client/list-address.ts'
import { mayDo, useRecordAnswer } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { useKind } from '../../client/use-kind.ts'
import { AppLink } from '../../components/app-link.tsx'
import { DownloadMenu } from '../../components/download-menu.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { momentWord, ZonedMoment } from '../../components/moment.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { RecordLink } from '../../components/record-link.tsx'
import { frameworks } from '../../copy/frameworks.ts'
import styles from './statement.module.css'
import { StatementTable } from './statement-table.tsx'

const words = frameworks.statement

/* Shared by a third page, it would come with pages that have none. */
const RecordOperations = lazy(() =>
  fetchCode(() => import('../record/operations.tsx')).then((code) => ({ default: code.RecordOperations })),
)

type Stated = Output<'getStatementOfApplicability'>
type Approval = NonNullable<Stated['approval']>
type Which = { asOf?: string; version?: number }

/** What applies of a framework and why: now, on a day, or as it was approved; to be approved, printed and taken out. */
export function FrameworkStatementPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const which = useWhich()
  const kind = useKind(kindIndex.framework)
  const framework = useRecordAnswer(kind, 'get', { id })
  // A version of it that is approved meanwhile is another answer.
  const version = framework.data?.version
  useOwnApproval(which, framework.data?.statement as Approval | null | undefined)
  const stated = useQuery({
    queryKey: ['getStatementOfApplicability', { id, ...which }, version],
    queryFn: () => call('getStatementOfApplicability', { id, ...which }),
    placeholderData: (before) => before,
  })
  const versions = useQuery({
    queryKey: ['listStatementsOfApplicability', { id }, version],
    queryFn: () => call('listStatementsOfApplicability', { id }),
    placeholderData: (before) => before,
  })
  return (
    <Loaded query={framework} lines={8} title={words.title}>
      {(record) => (
        <Stack gap="md" className={styles.page}>
          <RecordLink kind={kind} id={record.id}>
            {nameOf(kind, record)}
          </RecordLink>
          <PageHead
            title={words.title}
            text={words.edition(nameOf(kind, record), String(record.edition))}
            action={
              <Group gap="xs" className={styles.acts}>
                <Suspense>
                  <RecordOperations kind={kind} record={record} only={['approveStatementOfApplicability']} />
                </Suspense>
                <Button
                  variant="default"
                  size="compact-md"
                  leftSection={<IconPrinter size={16} aria-hidden />}
                  onClick={() => print()}
                >
                  {words.print}
                </Button>
                <DownloadMenu
                  label={words.download}
                  formats={words.formats}
                  ask={(format) => call('exportStatementOfApplicability', { id, ...which, format })}
                />
              </Group>
            }
          />
          <Choice which={which} versions={versions.data?.data ?? []} />
          <Loaded query={stated} lines={12}>
            {(data) => (
              <>
                <Facts stated={data} approved={which.version === undefined ? null : data.approval} />
                {which.version === undefined && <Unreasoned id={id} stated={data} />}
                {hasAnnex(data.rows.map(({ key }) => key)) && (
                  <Text size="sm" c="dimmed" className={styles.acts}>
                    {words.clauses}
                  </Text>
                )}
                <StatementTable rows={data.rows} />
              </>
            )}
          </Loaded>
        </Stack>
      )}
    </Loaded>
  )
}

/** Stands in the address, so that it can be sent to somebody. */
function useWhich(): Which {
  const { asOf, version } = useSearch({ strict: false }) as Which
  return { ...(asOf === undefined ? {} : { asOf }), ...(version === undefined ? {} : { version }) }
}

/** Whoever approves it is shown what was approved. */
function useOwnApproval(which: Which, last: Approval | null | undefined): void {
  const navigate = useNavigate()
  const { person } = useSignedIn()
  const before = useRef<number | undefined>(undefined)
  const version = last === undefined ? undefined : (last?.version ?? 0)
  const isOwn = last?.approvedBy.id === person.id
  const isNow = which.asOf === undefined && which.version === undefined
  useEffect(() => {
    const isNew = version !== undefined && before.current !== undefined && version > before.current
    before.current = version
    if (isNew && isOwn && isNow) void navigate({ to: '.', search: { version } as never, replace: true })
  }, [version, isOwn, isNow, navigate])
}

/** What auditors ask for of each requirement that applies. */
function Unreasoned({ id, stated: { rows } }: { id: string; stated: Stated }) {
  const kind = useKind(kindIndex.requirement)
  const mayGive = mayDo(kind, 'update', useSignedIn())
  const without = rows.filter(
    ({ assessable, applicability, inclusionReasons, justification }) =>
      assessable && applicability !== 'not_applicable' && !inclusionReasons?.length && !justification,
  )
  if (without.length === 0) return null
  // Of an edition with clauses, only what is below the headings of its annex.
  const headings = rows.filter(({ assessable }) => !assessable).map((row) => row.id)
  const filters = {
    frameworkId: [id],
    assessable: true,
    inclusionReasons: ['none'],
    ...(hasAnnex(rows.map(({ key }) => key)) && { parentId: headings }),
  }
  return (
    <Text size="sm" c="dimmed" className={styles.acts}>
      {words.unreasoned(without.length)}{' '}
      {mayGive && (
        <Anchor component={AppLink} href={listAddress(kind, filters)} size="sm">
          {words.unreasonedLink}
        </Anchor>
      )}
    </Text>
  )
}

function Choice({ which, versions }: { which: Which; versions: readonly Approval[] }) {
  const navigate = useNavigate()
  const show = (search: Which) => void navigate({ to: '.', search: search as never, replace: true })
  const chosen =
    which.version !== undefined ? String(which.version) : which.asOf !== undefined ? 'day' : 'now'
  return (
    <Group gap="sm" align="flex-end" className={styles.choice}>
      <NativeSelect
        label={words.which}
        value={chosen}
        data={[
          { value: 'now', label: words.now },
          { value: 'day', label: words.onDay },
          {
            group: words.versions,
            items: versions.map(({ version, approvedAt, approvedBy }) => ({
              value: String(version),
              label: `${words.version(version)}, ${momentWord(approvedAt)}, ${approvedBy.displayName}`,
            })),
          },
        ]}
        onChange={({ currentTarget: { value } }) =>
          show(value === 'now' ? {} : value === 'day' ? { asOf: today() } : { version: Number(value) })
        }
      />
      {which.asOf !== undefined && (
        <TextInput
          label={words.day}
          type="date"
          max={today()}
          value={which.asOf}
          onChange={({ currentTarget: { value } }) => value && show({ asOf: value })}
        />
      )}
    </Group>
  )
}

/** What it is of, and who approved it: the head of the paper. */
function Facts({ stated, approved }: { stated: Stated; approved: Approval | null }) {
  const { organization, framework, rows, asOf } = stated
  const asked = rows.filter(({ assessable }) => assessable)
  const out = asked.filter(({ applicability }) => applicability === 'not_applicable').length
  const isOfControls = hasAnnex(rows.map(({ key }) => key))
  return (
    <dl className={styles.facts}>
      <Fact name={words.facts.organization}>{organization}</Fact>
      <Fact name={words.facts.framework}>{framework.name}</Fact>
      <Fact name={words.facts.edition}>{framework.edition}</Fact>
      {framework.implementationGroup && <Fact name={words.facts.level}>{framework.implementationGroup}</Fact>}
      <Fact name={isOfControls ? words.facts.controls : words.facts.requirements}>
        {words.counts(asked.length, out)}
      </Fact>
      {framework.scopeStatement && <Fact name={words.facts.scope}>{framework.scopeStatement}</Fact>}
      {approved ? (
        <>
          <Fact name={words.facts.version}>{approved.version}</Fact>
          <Fact name={words.facts.approvedBy}>{approved.approvedBy.displayName}</Fact>
          <Fact name={words.facts.approvedAt}>
            <ZonedMoment at={approved.approvedAt} />
          </Fact>
          <Fact name={words.facts.sha256}>
            <code>{approved.sha256}</code>
          </Fact>
          {approved.note && <Fact name={words.facts.note}>{approved.note}</Fact>}
        </>
      ) : (
        <>
          <Fact name={words.facts.version}>{words.draft}</Fact>
          {asOf && <Fact name={words.facts.asOf}>{asOf}</Fact>}
        </>
      )}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
