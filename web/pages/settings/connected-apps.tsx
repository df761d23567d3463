import { Stack } from '@mantine/core'
import { ConnectedApps } from '../../components/connected-apps.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { connectedApps } from '../../copy/apps.ts'

const words = connectedApps.all

export function AllConnectedAppsPage() {
  return (
    <Stack gap="lg">
      <PageHead title={words.title} text={words.text} />
      <ConnectedApps whose="all" empty={words.empty} />
    </Stack>
  )
}
