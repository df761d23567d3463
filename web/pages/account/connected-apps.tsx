import { Stack } from '@mantine/core'
import { ConnectedApps } from '../../parts/connected-apps.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { connectedApps } from '../../words/apps.ts'

const words = connectedApps.mine

export function ConnectedAppsPage() {
  return (
    <Stack gap="lg">
      <PageHead title={words.title} text={words.text} />
      <ConnectedApps whose="mine" empty={words.empty} />
    </Stack>
  )
}
