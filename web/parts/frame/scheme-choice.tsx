import { Menu, useMantineColorScheme } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { frame } from '../../words/frame.ts'

const SCHEMES = ['light', 'dark', 'auto'] as const

/** Light, dark, or as the system has it. */
export function SchemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <>
      <Menu.Label>{frame.scheme.title}</Menu.Label>
      {SCHEMES.map((scheme) => (
        <Menu.Item
          key={scheme}
          role="menuitemradio"
          aria-checked={scheme === colorScheme}
          rightSection={scheme === colorScheme && <IconCheck size={14} aria-hidden />}
          onClick={() => setColorScheme(scheme)}
        >
          {frame.scheme[scheme]}
        </Menu.Item>
      ))}
    </>
  )
}
