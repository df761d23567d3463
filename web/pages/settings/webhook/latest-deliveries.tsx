import { Text } from '@mantine/core'
import { useAnswer } from '../../../client/use-answer.ts'
import { DataTable } from '../../../components/data-table.tsx'
import { TextLink } from '../../../components/links.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Moment } from '../../../components/moment.tsx'
import { Section } from '../../../components/section.tsx'
import { AttemptCount } from '../../../components/webhooks/attempt-count.tsx'
import { StatusChip } from '../../../components/webhooks/chip.tsx'
import { deliveries } from '../../../copy/deliveries.ts'
import { endpoint } from '../../../copy/webhooks.ts'

const words = endpoint.recent
const { columns } = deliveries

/** The last few, and the way to the rest. */
export function LatestDeliveries({ id }: { id: string }) {
  const asked = useAnswer('listWebhookDeliveries', { endpointId: [id], limit: 5 }, { refetchInterval: 3_000 })
  return (
    <Section
      title={words.title}
      action={
        <TextLink to="/settings/deliveries" search={{ endpoint: id }}>
          {words.all}
        </TextLink>
      }
    >
      <Loaded query={asked}>
        {({ data }) =>
          data.length === 0 ? (
            <Text size="sm" c="dimmed">
              {words.none}
            </Text>
          ) : (
            <DataTable
              label={words.title}
              rows={data}
              columns={[
                {
                  label: columns.type,
                  cell: ({ id, type }) => (
                    <TextLink to="/settings/deliveries/$id" params={{ id }} fw={500}>
                      {type}
                    </TextLink>
                  ),
                },
                { label: columns.status, cell: ({ status }) => <StatusChip status={status} /> },
                {
                  label: columns.attempts,
                  cell: (delivery) => <AttemptCount {...delivery} />,
                },
                { label: columns.created, cell: ({ createdAt }) => <Moment isExact at={createdAt} /> },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  )
}
