import { Anchor, Button, Code, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { needsOf } from '../../../model/access.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { isForPersons, scopesInWords } from '../../../model/needs.ts'
import { parentKind } from '../../client/kinds.ts'
import { emptyRegister } from '../../copy/empty-register.ts'
import { exporting } from '../../copy/exporting.ts'
import { records, registerWords } from '../../copy/records.ts'
import { registerText } from '../../copy/register.ts'
import { AppLink } from '../app-link.tsx'
import { CodeSample } from '../code-sample.tsx'

/** An empty register: what goes here, the first action, and on request the API call that does the same. */
export function EmptyRegister({ kind, add }: { kind: DescribedKind; add: (() => void) | null }) {
  const { many } = registerWords(kind)
  const text = registerText(kind)
  const words = emptyRegister.empty
  const begin = emptyRegister.begin[kind.name] ?? []
  const [isApiShown, setIsApiShown] = useState(false)
  const adding = needsOf(kind, 'create')
  const hasCall = adding !== undefined && !isForPersons(adding) && kind.example !== undefined
  return (
    <Stack align="center" gap="sm" p="xl" maw={680} mx="auto" ta="center">
      <Text component="h2" fz="1rem" fw={600} m={0}>
        {words.title(many)}
      </Text>
      <Text size="sm" c="dimmed" maw="60ch">
        {text && `${text} `}
        {add ? words.text(kind.noun) : words.viewer}
      </Text>
      {add && (
        <Group gap="xs" justify="center">
          {begin.map(({ title, href }, at) => (
            <Button key={href} variant={at === 0 ? 'filled' : 'default'} component={AppLink} href={href}>
              {title}
            </Button>
          ))}
          <Button variant={begin.length > 0 ? 'default' : 'filled'} onClick={add}>
            {records.form.submit(kind.noun)}
          </Button>
          {begin.length === 0 && (
            <Button variant="default" component={AppLink} href={`/import/${kind.page}`}>
              {exporting.import}
            </Button>
          )}
        </Group>
      )}
      {add && hasCall && (
        <Stack gap="xs" align="center" w="100%">
          <Anchor
            component="button"
            type="button"
            size="sm"
            aria-expanded={isApiShown}
            onClick={() => setIsApiShown(!isApiShown)}
          >
            {words.useApi}
          </Anchor>
          {isApiShown && (
            <>
              <div style={{ width: '100%' }}>
                <CodeSample label="curl">{curlOf(kind)}</CodeSample>
              </div>
              <Text size="xs" c="dimmed">
                {words.key} <Code>{scopesInWords(adding)}</Code>.
              </Text>
            </>
          )}
        </Stack>
      )}
    </Stack>
  )
}

/** Without what points at records that are not there yet. */
function curlOf(kind: DescribedKind): string {
  const example = Object.entries(kind.example ?? {}).filter(
    ([name]) => !kind.owners.includes(name) || kind.required.includes(name),
  )
  const parent = parentKind(kind)
  const path = parent ? `${parent.path}/{${kind.under!.field}}/${kind.under!.path}` : kind.path
  return `curl ${location.origin}/v1/${path} \\
  -H "Authorization: Bearer $PLUMBLINE_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(Object.fromEntries(example), null, 2)}'`
}

export function NothingMatches({ clear }: { clear: () => void }) {
  const words = emptyRegister.nothing
  return (
    <Stack align="center" gap="xs" p="xl" ta="center">
      <Text component="h2" fz="1rem" fw={600} m={0}>
        {words.title}
      </Text>
      <Text size="sm" c="dimmed">
        {words.text}
      </Text>
      <Button variant="default" size="xs" onClick={clear}>
        {words.clear}
      </Button>
    </Stack>
  )
}
