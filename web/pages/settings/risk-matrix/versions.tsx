import { Button, Text } from '@mantine/core'
import type { Output } from '../../../client/calls.ts'
import { useAnswer } from '../../../client/use-answer.ts'
import { DataTable } from '../../../components/data-table.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Moment } from '../../../components/moment.tsx'
import { Section } from '../../../components/section.tsx'
import { countWord } from '../../../copy/counts.ts'
import { matrixEditor } from '../../../copy/matrix-editor.ts'

const words = matrixEditor.versions

/** What the matrix was before, by whom, and why; each can be edited from. */
export function Versions({
  current,
  take,
}: {
  /** The one that holds, as it stands by now. */
  current: Output<'getRiskMatrix'>
  take: (version: number) => void
}) {
  const versions = useAnswer('listRiskMatrixVersions', {})
  return (
    <Section title={words.title}>
      <Loaded query={versions}>
        {({ data }) => (
          <DataTable
            label={words.title}
            rows={data.map((one) => ({ ...one, id: String(one.version) }))}
            columns={[
              {
                label: words.version,
                cell: ({ version }) =>
                  version === current.version ? `${countWord(version)}, ${words.holds}` : countWord(version),
              },
              {
                label: words.at,
                cell: ({ changedAt }) => (changedAt === null ? words.first : <Moment at={changedAt} />),
              },
              { label: words.by, cell: ({ changedBy }) => <bdi>{changedBy?.displayName ?? '–'}</bdi> },
              {
                label: words.reason,
                cell: ({ reason }) => (
                  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                    {reason ?? '–'}
                  </Text>
                ),
              },
              {
                label: words.risksMoved,
                cell: ({ version, risksMoved }) => {
                  const moved = version === current.version ? current.risksMoved : risksMoved
                  return moved === null ? '–' : countWord(moved)
                },
              },
              {
                label: words.acts,
                hidden: true,
                cell: ({ version }) =>
                  version !== current.version && (
                    <Button
                      variant="default"
                      size="xs"
                      aria-label={words.takeOf(version)}
                      onClick={() => take(version)}
                    >
                      {words.take}
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </Section>
  )
}
