import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import { frame } from '../../../copy/frame.ts'

const SCHEMES = ['light', 'dark', 'auto'] as const

/** Light, dark, or as the system has it. */
export function SchemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <>
      <Menu.Label>{frame.scheme.title}</Menu.Label>
      <Menu.RadioGroup
        value={colorScheme}
        onChange={(value) => setColorScheme(value as MantineColorScheme)}
        aria-label={frame.scheme.title}
      >
        {SCHEMES.map((scheme) => (
          <Menu.RadioItem key={scheme} value={scheme}>
            {frame.scheme[scheme]}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  )
}
