import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { rowsOf, usePages } from '../../client/use-pages.ts'
import { type KeyPurpose, NewKey } from '../../parts/api-keys/new-key.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { MorePages } from '../../parts/more-pages.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { apiKeys as words } from '../../words/api-keys.ts'
import { KeyTable } from './api-keys/key-table.tsx'
import { NoKeys } from './api-keys/no-keys.tsx'

export function ApiKeysPage() {
  const [making, setMaking] = useState<KeyPurpose | null>(null)
  const keys = usePages('listApiKeys', {})
  return (
    <Stack gap="lg" maw={1240}>
      <PageHead
        title={words.title}
        text={words.text}
        action={
          <Group gap="xs">
            <Button variant="default" onClick={() => setMaking('webhooks')}>
              {words.createManagement}
            </Button>
            <Button onClick={() => setMaking('form')}>{words.create}</Button>
          </Group>
        }
      />
      <Loaded query={keys} lines={4}>
        {(pages) => {
          const rows = rowsOf(pages)
          return rows.length === 0 ? <NoKeys /> : <KeyTable keys={rows} />
        }}
      </Loaded>
      <MorePages of={keys} />
      {making && <NewKey purpose={making} close={() => setMaking(null)} />}
    </Stack>
  )
}
