import { ActionIcon, FileButton, Group, Menu, Text } from '@mantine/core'
import {
  IconBold,
  IconBraces,
  IconItalic,
  IconLink,
  IconList,
  IconListNumbers,
  IconPhoto,
  IconTable,
} from '@tabler/icons-react'
import { PLACEHOLDERS } from '../../../model/policy-text.ts'
import { policies } from '../../copy/policies.ts'
import type { Tool } from './editing.ts'

const words = policies.editor

/** What a browser draws; what it becomes is a PNG or a JPEG (pictures/prepare.ts). */
const ACCEPTED = 'image/png,image/jpeg,image/gif,image/webp'

const TOOLS = [
  // As few letters as they are, they are none of the pictures that every page loads.
  ['heading', () => <HeadingMark tool="heading" />],
  ['subheading', () => <HeadingMark tool="subheading" />],
  ['bold', IconBold],
  ['italic', IconItalic],
  ['list', IconList],
  ['numbered', IconListNumbers],
  ['link', IconLink],
  ['table', IconTable],
] as const

const HeadingMark = ({ tool }: { tool: keyof typeof words.headings }) => (
  <Text span size="xs" fw={700} aria-hidden>
    {words.headings[tool]}
  </Text>
)

/** The buttons of the editor. */
export function Tools({
  edit,
  takePictures,
  isTaking,
}: {
  edit: (tool: Tool) => void
  takePictures: (files: File[]) => void
  isTaking: boolean
}) {
  return (
    <Group gap={2} role="toolbar" aria-label={words.tools.label}>
      {TOOLS.map(([tool, Picture]) => (
        <ActionIcon
          key={tool}
          aria-label={words.tools[tool]}
          title={words.tools[tool]}
          onClick={() => edit({ name: tool })}
        >
          <Picture size={18} aria-hidden />
        </ActionIcon>
      ))}
      <FileButton multiple accept={ACCEPTED} onChange={takePictures}>
        {(props) => (
          <ActionIcon
            {...props}
            loading={isTaking}
            aria-label={words.tools.picture}
            title={words.tools.picture}
          >
            <IconPhoto size={18} aria-hidden />
          </ActionIcon>
        )}
      </FileButton>
      <Menu shadow="sm" position="bottom-start">
        <Menu.Target>
          <ActionIcon aria-label={words.tools.placeholder} title={words.tools.placeholder}>
            <IconBraces size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {PLACEHOLDERS.map((placeholder) => (
            <Menu.Item key={placeholder} onClick={() => edit({ name: 'insert', text: `{{${placeholder}}}` })}>
              {words.placeholders[placeholder]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}
