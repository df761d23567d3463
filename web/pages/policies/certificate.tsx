import { Group, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../client/calls.ts'
import { kindIndex } from '../../client/kinds.ts'
import { type AnyRecord, archivedWith, recordQuery } from '../../client/records.ts'
import { DownloadMenu } from '../../components/download-menu.tsx'
import { policies } from '../../copy/policies.ts'
import type { Version } from './version.ts'

const words = policies.certificate
const ALL = 'all'

/** The certificate of a version with its corrections, at first of the one in force; or of all that anybody was asked about. */
export function Certificate({ policy }: { policy: AnyRecord }) {
  const { data } = useQuery(
    recordQuery(kindIndex.policy_version, 'list', {
      policyId: [policy.id],
      status: ['published', 'superseded'],
      ...archivedWith(policy),
      limit: 200,
    }),
  )
  const rounds = roundsOf((data?.data ?? []) as readonly AnyRecord[] as readonly Version[])
  const inForce = rounds.find(({ ids }) => ids.includes(String(policy.currentVersionId)))
  const [chosen, setChosen] = useState<string | null>(null)
  const of = chosen ?? inForce?.ids[0] ?? ALL
  return (
    <Group gap="xs">
      {rounds.length > 1 && (
        <NativeSelect
          size="xs"
          aria-label={words.of}
          value={of}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          data={[
            ...rounds.map(({ ids, labels }) => ({
              value: ids[0]!,
              label: words.version(labels, ids.includes(String(policy.currentVersionId))),
            })),
            { value: ALL, label: words.all },
          ]}
        />
      )}
      <DownloadMenu
        label={words.title}
        formats={words.formats}
        ask={(format) =>
          call('downloadAttestationCertificate', {
            policyId: policy.id,
            format,
            ...(of === ALL ? {} : { versionId: of }),
          })
        }
      />
    </Group>
  )
}

/** Versions by their whole number, each with its corrections, the latest first: people are asked once about all of them. */
function roundsOf(versions: readonly Version[]): { ids: string[]; labels: string[] }[] {
  const sorted = versions.toSorted((one, other) => other.major - one.major || other.minor - one.minor)
  return [...Map.groupBy(sorted, ({ major }) => major).values()].map((all) => ({
    ids: all.map(({ id }) => id),
    labels: all.map(({ label }) => label),
  }))
}
