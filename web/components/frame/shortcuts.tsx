import { Kbd, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { records } from '../../copy/records.ts'
import { shortcuts as words } from '../../copy/shortcuts.ts'
import { useListKeys } from '../record-list/use-list-keys.ts'
import styles from './shortcuts.module.css'

const { keys, names } = words

/** Every shortcut there is: what it does, and the keys that are held together. */
const GROUPS: readonly { title: string; keys: readonly (readonly [string, readonly string[]])[] }[] = [
  {
    title: words.groups.anywhere,
    keys: [
      [keys.palette, [names.control, 'K']],
      [keys.help, ['?']],
    ],
  },
  {
    title: words.groups.lists,
    keys: [
      [keys.search, [records.keys.search]],
      [keys.next, [records.keys.next]],
      [keys.previous, [records.keys.previous]],
      [keys.open, [names.enter]],
      [keys.select, [records.keys.select]],
      [keys.create, [records.keys.create]],
      [keys.clear, [names.escape]],
    ],
  },
  {
    title: words.groups.forms,
    keys: [
      [keys.submit, [names.control, names.enter]],
      [keys.leave, [names.escape]],
    ],
  },
]

/** `?`, for whoever is not writing: the keys that do something here. */
export function Shortcuts() {
  const [isOpen, { open, close }] = useDisclosure(false)
  useListKeys({ '?': open })
  return (
    <Modal opened={isOpen} onClose={close} title={words.title} size="sm">
      <Stack gap="md">
        {GROUPS.map((group) => (
          <section key={group.title} aria-label={group.title}>
            <Text size="sm" fw={600} mb={4}>
              {group.title}
            </Text>
            <dl className={styles.list}>
              {group.keys.map(([what, held]) => (
                <div key={what}>
                  <dt>{what}</dt>
                  <dd>
                    {held.map((key) => (
                      <Kbd key={key} size="xs">
                        {key}
                      </Kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </Stack>
    </Modal>
  )
}
