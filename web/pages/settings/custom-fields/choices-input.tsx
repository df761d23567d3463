import { ActionIcon, Button, Fieldset, Group, Input, Stack, Text, TextInput } from '@mantine/core'
import { IconArrowBackUp, IconArrowUp, IconBan, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { CustomChoice } from '../../../../model/custom-field.ts'
import { customFieldSettings } from '../../../copy/custom-field-settings.ts'

const words = customFieldSettings.form

/**
 * What there is to choose from, in its order. One that records may have is retired, and what was just added is removed.
 * @param known those that the service has
 */
export function ChoicesInput({
  choices,
  known,
  error,
  change,
}: {
  choices: readonly CustomChoice[]
  known: readonly CustomChoice[]
  error: string | undefined
  change: (choices: readonly CustomChoice[]) => void
}) {
  const [added, setAdded] = useState(-1)
  const all = choices.length > 0 ? choices : [{ key: '', label: '' }]
  const put = (at: number, values: Partial<CustomChoice>) =>
    change(all.map((one, index) => (index === at ? { ...one, ...values } : one)))
  const add = () => {
    setAdded(all.length)
    change([...all, { key: '', label: '' }])
  }
  const raise = (at: number) =>
    change([...all.slice(0, at - 1), all[at]!, all[at - 1]!, ...all.slice(at + 1)])
  return (
    <Fieldset
      legend={
        <>
          {words.choices}
          <Text span c="var(--mantine-color-error)" aria-hidden>
            {' *'}
          </Text>
        </>
      }
      variant="unstyled"
      tabIndex={-1}
      data-error={error ? true : undefined}
    >
      <Text size="xs" c="dimmed" mb={6}>
        {words.choicesHint}
      </Text>
      {error && <Input.Error mb={6}>{error}</Input.Error>}
      <Stack gap={6}>
        {all.map((choice, at) => {
          const { key, label, retired } = choice
          const name = label.trim() || words.choice(at + 1)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: what is new has no key yet, and its input keeps no state
            <Group key={at} gap={4} wrap="nowrap" align="flex-start">
              <TextInput
                flex={1}
                size="xs"
                maxLength={80}
                aria-label={words.choice(at + 1)}
                value={label}
                description={retired ? words.retiredChoice : undefined}
                inputWrapperOrder={['input', 'description', 'error']}
                autoFocus={at === added}
                onChange={({ currentTarget }) => put(at, { label: currentTarget.value })}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
                  event.preventDefault()
                  if (label.trim()) add()
                }}
              />
              <ActionIcon disabled={at === 0} aria-label={words.up(name)} onClick={() => raise(at)}>
                <IconArrowUp size={16} aria-hidden />
              </ActionIcon>
              {known.some((one) => one.key === key) ? (
                <ActionIcon
                  aria-label={retired ? words.restoreChoice(name) : words.retireChoice(name)}
                  onClick={() => put(at, { retired: !retired })}
                >
                  {retired ? <IconArrowBackUp size={16} aria-hidden /> : <IconBan size={16} aria-hidden />}
                </ActionIcon>
              ) : (
                <ActionIcon
                  disabled={all.length === 1}
                  aria-label={words.removeChoice(name)}
                  onClick={() => change(all.filter((_, index) => index !== at))}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              )}
            </Group>
          )
        })}
      </Stack>
      <Button
        variant="default"
        size="compact-xs"
        mt={6}
        leftSection={<IconPlus size={12} aria-hidden />}
        onClick={add}
      >
        {words.addChoice}
      </Button>
    </Fieldset>
  )
}
