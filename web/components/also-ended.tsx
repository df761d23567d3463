import { Checkbox, Fieldset, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { password } from '../copy/new-password.ts'

const words = password.also

/** What may end with an old password, besides the sessions. */
export function useAlsoEnded() {
  const [ended, setEnded] = useState({ endApps: false, endKeys: false })
  const box = (name: keyof typeof ended) => ({
    checked: ended[name],
    onChange: ({ currentTarget: { checked } }: { currentTarget: HTMLInputElement }) =>
      setEnded((all) => ({ ...all, [name]: checked })),
  })
  const boxes = (
    <Fieldset variant="unstyled" legend={words.title}>
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {words.text}
        </Text>
        <Checkbox {...box('endApps')} label={words.apps} />
        <Checkbox {...box('endKeys')} label={words.keys} description={words.keysHint} />
      </Stack>
    </Fieldset>
  )
  return { ended, boxes }
}
