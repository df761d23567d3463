import { Stack } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useAnswer } from '../../client/use-answer.ts'
import { Loaded } from '../../components/loaded.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { bench as words } from '../../copy/signature-bench.ts'
import { Bench } from './signature-bench/bench.tsx'

/** Why a receiver's check says no; filled in where one comes from a delivery. */
export function SignatureBenchPage() {
  const { delivery } = useSearch({ strict: false }) as { delivery?: unknown }
  return (
    <Stack gap="lg">
      <PageHead title={words.title} text={words.text} />
      {typeof delivery === 'string' ? <FromDelivery id={delivery} /> : <Bench />}
    </Stack>
  )
}

function FromDelivery({ id }: { id: string }) {
  const asked = useAnswer('getWebhookDelivery', { id })
  return (
    <Loaded query={asked} lines={6}>
      {({ request, attempts }) => {
        const attempt = attempts.find(({ headers }) => headers !== null)
        const lines = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)
        return (
          <Bench
            key={id}
            from={{
              delivery: id,
              attempt: attempt?.number ?? 0,
              headers: lines.join('\n'),
              body: request.body,
              clock: attempt?.sentAt ?? '',
            }}
          />
        )
      }}
    </Loaded>
  )
}
