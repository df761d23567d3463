import { Stack } from '@mantine/core'
import { ConnectedApps } from '../../parts/connected-apps.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { connectedApps } from '../../words/apps.ts'

const words = connectedApps.all

export function AllConnectedAppsPage() {
  return (
    <Stack gap="lg">
      <PageHead title={words.title} text={words.text} />
      <ConnectedApps whose="all" empty={words.empty} />
    </Stack>
  )
}
