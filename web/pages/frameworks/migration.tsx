import { NativeSelect, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { kindIndex } from '../../client/kinds.ts'
import { type AnyRecord, recordQuery } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { useKind } from '../../client/use-kind.ts'
import { TextLink } from '../../components/links.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { RecordLink } from '../../components/record-link.tsx'
import { frameworkMigration as words } from '../../copy/framework-migration.ts'
import { EarlierMoves } from './migration/earlier-moves.tsx'
import { MigrationPlan } from './migration/plan.tsx'

const nameOf = ({ name, edition }: AnyRecord): string => words.of(String(name), String(edition))

/** Takes the answers of a framework to another edition: what becomes of each is shown before. */
export function FrameworkMigrationPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const kind = useKind(kindIndex.framework)
  const isAdmin = useSignedIn().role === 'admin'
  const all = useQuery(recordQuery(kind, 'list', { limit: 200 }))
  return (
    <Loaded query={all} title={words.title}>
      {({ data }) => {
        const framework = data.find((one) => one.id === id)
        return (
          <Stack gap="lg">
            {framework && (
              <RecordLink kind={kind} id={id}>
                {nameOf(framework)}
              </RecordLink>
            )}
            <PageHead title={words.title} text={words.text} />
            {isAdmin ? <Moves id={id} frameworks={data} /> : <Text size="sm">{words.adminsOnly}</Text>}
          </Stack>
        )
      }}
    </Loaded>
  )
}

function Moves({ id, frameworks }: { id: string; frameworks: readonly AnyRecord[] }) {
  const [toId, setToId] = useState('')
  const key = frameworks.find((one) => one.id === id)?.key
  const others = frameworks
    .filter((one) => one.id !== id && one.archivedAt === null)
    .toSorted((one, other) => Number(other.key === key) - Number(one.key === key))
  const names = new Map(frameworks.map((one) => [one.id, nameOf(one)]))
  return (
    <>
      <EarlierMoves id={id} names={names} />
      {others.length === 0 ? (
        <Text size="sm">
          {words.none} <TextLink to="/frameworks/library">{words.library}</TextLink>
        </Text>
      ) : (
        <NativeSelect
          label={words.to}
          value={toId}
          onChange={({ currentTarget }) => setToId(currentTarget.value)}
          maw="32rem"
          data={[
            { value: '', label: words.choose },
            ...others.map((one) => ({ value: one.id, label: nameOf(one) })),
          ]}
        />
      )}
      {toId !== '' && <Planned key={toId} id={id} toId={toId} />}
    </>
  )
}

function Planned({ id, toId }: { id: string; toId: string }) {
  const plan = useAnswer('planFrameworkMigration', { id, toId })
  return (
    <Loaded query={plan} lines={8}>
      {(data) => <MigrationPlan key={data.planned} plan={data} />}
    </Loaded>
  )
}
