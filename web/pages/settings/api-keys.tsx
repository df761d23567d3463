import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { rowsOf, usePages } from '../../client/use-pages.ts'
import { NewKey } from '../../components/api-keys/new-key.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { MorePages } from '../../components/more-pages.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { apiKeys as words } from '../../copy/api-keys.ts'
import { KeyTable } from './api-keys/key-table.tsx'
import { NoKeys } from './api-keys/no-keys.tsx'

export function ApiKeysPage() {
  const [isMaking, setIsMaking] = useState(false)
  const keys = usePages('listApiKeys', {})
  return (
    <Stack gap="lg">
      <PageHead
        title={words.title}
        text={words.text}
        action={<Button onClick={() => setIsMaking(true)}>{words.create}</Button>}
      />
      <Loaded query={keys} lines={4}>
        {(pages) => {
          const rows = rowsOf(pages)
          return rows.length === 0 ? <NoKeys /> : <KeyTable keys={rows} />
        }}
      </Loaded>
      <MorePages of={keys} />
      {isMaking && <NewKey purpose="form" close={() => setIsMaking(false)} />}
    </Stack>
  )
}
