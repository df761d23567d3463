import { Anchor, Group } from '@mantine/core'
import { PAGES } from '../../../model/pages.ts'
import { AppLink } from '../../components/app-link.tsx'
import { frameworks } from '../../copy/frameworks.ts'
import styles from './frameworks.module.css'

const words = frameworks.pages

const SHOWN = [
  [PAGES.frameworkStatement, words.statement],
  [PAGES.frameworkComparison, words.comparison],
] as const

/** The way to what a framework has besides its requirements. */
export function FrameworkPages({ id }: { id: string }) {
  return (
    <Group component="nav" aria-label={words.label} gap="md" className={styles.pages}>
      {SHOWN.map(([path, label]) => (
        <Anchor key={path} component={AppLink} href={path.replace('$id', id)} size="sm">
          {label}
        </Anchor>
      ))}
    </Group>
  )
}
