import { Stack, Text } from '@mantine/core'
import { useSignedIn } from '../../../client/session.ts'
import { CodeSample } from '../../../components/code-sample.tsx'
import { apiKeys as words } from '../../../copy/api-keys.ts'

export function NoKeys() {
  const { organization, person } = useSignedIn()
  return (
    <Stack gap="sm" maw="72ch">
      <Text size="sm">{words.empty}</Text>
      <CodeSample label={words.commandLine}>
        {[
          'npm run --silent plumbline -- key create',
          `--organization ${quoted(organization.name)}`,
          `--as ${quoted(person.email)}`,
          '--name "first key" --scopes read:risks,write:risks',
        ].join(' \\\n  ')}
      </CodeSample>
    </Stack>
  )
}

/** As a shell takes it for one word. */
const quoted = (text: string): string =>
  /^[\w.@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
