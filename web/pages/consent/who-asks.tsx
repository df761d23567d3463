import { Alert, Anchor, Code, Stack, Text } from '@mantine/core'
import type { ConsentRequest } from '../../client/consent.ts'
import { consent as words } from '../../copy/apps.ts'

/**
 * Who it is, as far as anybody knows: the name is its own word, the host is where the access goes. What one that
 * registered itself says of its website is left out: it could name any, and be believed for it.
 */
export function WhoAsks({ client }: { client: ConsentRequest['client'] }) {
  return (
    <Stack gap="xs">
      <Text size="sm">
        {words.returnsTo} <Code fz="sm">{client.redirectHost}</Code>
        {client.uri && client.registration !== 'dynamic' && (
          <>
            {' · '}
            <Anchor href={client.uri} target="_blank" rel="noreferrer" size="sm">
              {words.site}
            </Anchor>
          </>
        )}
      </Text>
      {client.redirectIsLocal ? (
        <Alert color="yellow" title={words.local.title}>
          {words.local.text}
        </Alert>
      ) : (
        client.registration !== 'preregistered' && (
          <Text size="sm" c="dimmed">
            {words.unverified}
          </Text>
        )
      )}
    </Stack>
  )
}
