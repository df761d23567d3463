import { Button, Code, Group, Modal, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { download } from '../client/download.ts'
import { useSignedIn } from '../client/session.ts'
import { recovery } from '../copy/account.ts'
import { buttons } from '../copy/buttons.ts'

const words = recovery.shown

/** Shown once: nothing but its own button closes it. */
export function RecoveryCodes({ codes, close }: { codes: readonly string[]; close: () => void }) {
  const [isCopied, setIsCopied] = useState(false)
  const { person } = useSignedIn()
  const text = `${words.head(person.email)}\n\n${codes.join('\n')}\n`
  return (
    <Modal
      opened
      onClose={() => {}}
      title={words.title}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Text size="sm">{words.text}</Text>
        <SimpleGrid cols={2} spacing="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {codes.map((code) => (
            <li key={code}>
              <Code fz="sm">{code}</Code>
            </li>
          ))}
        </SimpleGrid>
        <Group gap="xs">
          <Button
            variant="default"
            onClick={() => navigator.clipboard.writeText(text).then(() => setIsCopied(true))}
          >
            {isCopied ? buttons.copied : words.copy}
          </Button>
          <Button variant="default" onClick={() => download(words.file, [text])}>
            {buttons.download}
          </Button>
          <Button ml="auto" onClick={close}>
            {words.kept}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
