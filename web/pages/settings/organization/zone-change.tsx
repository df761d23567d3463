import { Alert, Text } from '@mantine/core'
import { useAnswer } from '../../../client/use-answer.ts'
import { organization as words } from '../../../copy/organization.ts'

/** What another time zone does to dates, before it is saved. */
export function ZoneChange({ timezone }: { timezone: string }) {
  const { data } = useAnswer('previewFindingSla', { timezone })
  if (!data || data.moves + data.keptDays + data.shownOtherwise === 0) return null
  return (
    <Alert color="yellow" variant="light" role="status">
      {data.keptDays > 0 && <Text size="sm">{words.zone.days(data.keptDays)}</Text>}
      {data.shownOtherwise > 0 && <Text size="sm">{words.zone.moments(data.shownOtherwise)}</Text>}
      {data.moves > 0 && <Text size="sm">{words.findingSla.moves(data.moves)}.</Text>}
    </Alert>
  )
}
