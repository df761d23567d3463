import { Anchor, Group, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { PAGES } from '../../../model/pages.ts'
import { call } from '../../client/calls.ts'
import { kindIndex } from '../../client/kinds.ts'
import { mayDo } from '../../client/records.ts'
import { follow } from '../../client/send-file.ts'
import { useSignedIn } from '../../client/session.ts'
import { AppLink } from '../../components/app-link.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { frameworks } from '../../copy/frameworks.ts'
import styles from './frameworks.module.css'

const words = frameworks.pages

/** The way to what a framework has besides its requirements. */
export function FrameworkPages({ id }: { id: string }) {
  const mayMove = mayDo(kindIndex.framework, 'update', useSignedIn())
  const shown = [
    [PAGES.frameworkStatement, words.statement],
    [PAGES.frameworkComparison, words.comparison],
    ...(mayMove ? [[PAGES.frameworkMigration, words.migration] as const] : []),
  ] as const
  return (
    <Group component="nav" aria-label={words.label} gap="md" className={styles.pages}>
      {shown.map(([path, label]) => (
        <Anchor key={path} component={AppLink} href={path.replace('$id', id)} size="sm">
          {label}
        </Anchor>
      ))}
      <Oscal id={id} />
    </Group>
  )
}

const DOCUMENTS = {
  exportComponentDefinition: words.oscal.components,
  exportAssessmentResults: words.oscal.results,
} as const

/** How it is met, for other programs. */
function Oscal({ id }: { id: string }) {
  const saving = useMutation({
    mutationFn: async (name: keyof typeof DOCUMENTS) => follow(await call(name, { id })),
  })
  return (
    <>
      <Menu position="bottom-start" shadow="sm">
        <Menu.Target>
          <Anchor component="button" type="button" size="sm" disabled={saving.isPending}>
            {words.oscal.label} <IconChevronDown size={12} aria-hidden />
          </Anchor>
        </Menu.Target>
        <Menu.Dropdown>
          {Object.entries(DOCUMENTS).map(([name, label]) => (
            <Menu.Item key={name} onClick={() => saving.mutate(name as keyof typeof DOCUMENTS)}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <ProblemAlert error={saving.error} />
    </>
  )
}
