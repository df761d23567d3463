import { Anchor, Button, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { call, type Output } from '../../client/calls.ts'
import { kindIndex } from '../../client/kinds.ts'
import { queries } from '../../client/queries.ts'
import { downloadFile } from '../../client/uploads.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { NamedRecordLink } from '../../components/named-record-link.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { Section } from '../../components/section.tsx'
import { evidenceHub } from '../../copy/evidence-hub.ts'
import { sizeOf } from '../../copy/sizes.ts'
import { uploads } from '../../copy/uploads.ts'

const words = evidenceHub.held
const queryKey = ['listHeldFiles']

type HeldFile = Output<'listHeldFiles'>['data'][number]

/** The files that stay, whatever becomes of the evidence that has them: for admins, who hold them and let them go. */
export function HeldFiles() {
  const held = useQuery({ queryKey, queryFn: () => call('listHeldFiles', {}) })
  const act = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  })
  const columns: Column<HeldFile>[] = [
    {
      label: words.columns.file,
      cell: ({ id, name, bytes, status }) => (
        <>
          {status === 'ready' ? (
            <Anchor
              component="button"
              type="button"
              size="sm"
              title={uploads.download(name)}
              onClick={() => act.mutate(() => downloadFile(id))}
            >
              <bdi>{name}</bdi>
            </Anchor>
          ) : (
            <bdi>{name}</bdi>
          )}{' '}
          <Text span size="xs" c="dimmed">
            {sizeOf(bytes)}
          </Text>
        </>
      ),
    },
    {
      label: words.columns.evidence,
      cell: ({ evidence }) =>
        evidence.length === 0
          ? words.loose
          : evidence.map(({ id, reference, title }) => (
              <div key={id}>
                <NamedRecordLink kind={kindIndex.evidence} id={id} reference={reference} name={title} />
              </div>
            )),
    },
    {
      label: words.columns.act,
      hidden: true,
      cell: ({ id, name }) => (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={words.release(name)}
          onClick={() => act.mutate(() => call('updateFile', { id, legalHold: false }))}
        >
          {uploads.hold.release}
        </Button>
      ),
    },
  ]
  return (
    <Section title={words.title} text={words.text}>
      {act.error && <ProblemAlert error={act.error} />}
      <Loaded query={held} lines={2}>
        {({ data, total }) =>
          data.length === 0 ? (
            <Text size="sm" c="dimmed">
              {words.none}
            </Text>
          ) : (
            <>
              <DataTable label={words.title} columns={columns} rows={data} />
              {total > data.length && (
                <Text size="xs" c="dimmed">
                  {words.more(data.length, total)}
                </Text>
              )}
            </>
          )
        }
      </Loaded>
    </Section>
  )
}
