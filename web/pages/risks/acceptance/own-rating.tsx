import { Stack, Text } from '@mantine/core'
import { kindIndex } from '../../../client/kinds.ts'
import { useRecordAnswer } from '../../../client/records.ts'
import type { Acceptance } from './acceptance.ts'
import { RiskName } from './risk-name.tsx'
import { ThenAndNow } from './then-and-now.tsx'

/** On its own page: what it is about, beside what that is by now. */
export function OwnRating({ acceptance }: { acceptance: Acceptance }) {
  const { data: risk } = useRecordAnswer(kindIndex.risk, 'get', { id: acceptance.riskId })
  if (!risk) return null
  return (
    <Stack gap="xs">
      <Text size="sm">
        <RiskName risk={risk} />
      </Text>
      <ThenAndNow acceptance={acceptance} risk={risk} />
    </Stack>
  )
}
