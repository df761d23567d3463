import { Stack, Tabs, Text } from '@mantine/core'
import { endpoints } from '../../copy/webhooks.ts'
import java from '../../receivers/Receiver.java?raw'
import go from '../../receivers/receiver.go.txt?raw'
import python from '../../receivers/receiver.py?raw'
import ruby from '../../receivers/receiver.ru?raw'
import typescript from '../../receivers/receiver.ts?raw'
import curl from '../../receivers/send.sh?raw'
import { CodeSample } from '../code-sample.tsx'

const words = endpoints.secret

const LANGUAGES = { typescript, python, go, java, ruby, curl }

/** What a receiver has to do, as programs that run as they stand. */
export function ReceiverCode() {
  return (
    <Stack gap={6}>
      <Text size="sm" fw={500}>
        {words.code}
      </Text>
      <Text size="sm" c="dimmed">
        {words.codeText}
      </Text>
      <Tabs defaultValue="typescript" keepMounted={false}>
        <Tabs.List aria-label={words.code}>
          {Object.keys(LANGUAGES).map((language) => (
            <Tabs.Tab key={language} value={language}>
              {words.languages[language as keyof typeof LANGUAGES]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {Object.entries(LANGUAGES).map(([language, code]) => (
          <Tabs.Panel key={language} value={language} pt="xs">
            {language === 'curl' && (
              <Text size="sm" c="dimmed" pb="xs">
                {words.curlText}
              </Text>
            )}
            <CodeSample label={words.languages[language as keyof typeof LANGUAGES]}>
              {code.trimEnd()}
            </CodeSample>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  )
}
