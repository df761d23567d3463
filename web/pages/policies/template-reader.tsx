import { Button, Drawer, Group, Stack, Text } from '@mantine/core'
import { fillPlaceholders } from '../../../model/policy-text.ts'
import { useSignedIn } from '../../client/session.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Markdown } from '../../components/markdown.tsx'
import { policies } from '../../copy/policies.ts'
import styles from './policies.module.css'

const words = policies.templates

/** A template to be read before it becomes a policy: which requirements it answers, and its text. */
export function TemplateReader({
  templateKey,
  title,
  add,
  isAdding,
  close,
}: {
  templateKey: string
  title: string
  /** Makes a policy of it; null for who may not, or where there is one already. */
  add: (() => void) | null
  isAdding: boolean
  close: () => void
}) {
  const { organization } = useSignedIn()
  const template = useAnswer('getPolicyTemplate', { templateKey })
  return (
    <Drawer opened onClose={close} title={title} position="right" size="min(56rem, 100%)">
      <Stack gap="md">
        {add && (
          <Group>
            <Button loading={isAdding} onClick={add}>
              {words.addThis}
            </Button>
          </Group>
        )}
        <Loaded query={template} lines={14}>
          {({ answers, content }) => (
            <>
              <section aria-label={words.columns.answers}>
                {answers.map(({ framework, requirements }) => (
                  <details key={framework} className={styles.answers}>
                    <summary>{words.answersOf(framework, requirements.length)}</summary>
                    <ul>
                      {requirements.map(({ key, title }) => (
                        <li key={key}>
                          {key} {title}
                        </li>
                      ))}
                    </ul>
                  </details>
                ))}
              </section>
              <article className={styles.sheet} aria-label={words.text}>
                <Markdown isDocument>{filled(content, organization.name)}</Markdown>
              </article>
              <Text size="sm" c="dimmed">
                {policies.text.placeholders}
              </Text>
            </>
          )}
        </Loaded>
      </Stack>
    </Drawer>
  )
}

/** With what is known before there is a policy. */
const filled = (content: string, organization: string): string =>
  fillPlaceholders(content, {
    'organization.name': organization,
    'policy.owner': null,
    'policy.approver': null,
    'policy.effectiveDate': null,
    'policy.versionLabel': null,
  })
