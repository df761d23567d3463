import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'

/*
 * What somebody is at work on: whatever else a run leaves for another day (walk.ts), it walks that. It is what differs
 * from the main branch; where there is no git, what was written since the packages were installed.
 */

const FILES = ['model/kinds/*.ts', 'server/**/*.ts']

/** @returns the kinds and the operations by hand of the files that have changed, by name */
export function changedNames(root: string): readonly string[] {
  return changedFiles(root).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    if (file.startsWith('model/kinds/'))
      return [
        basename(file, '.ts')
          .replace(/-rules$/, '')
          .replaceAll('-', '_'),
      ]
    return [...text.matchAll(/^ *name: '(\w+)',$/gm)].map(([, name]) => name!)
  })
}

function changedFiles(root: string): readonly string[] {
  const files = globSync(FILES, { cwd: root })
  try {
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    const since = git('merge-base', 'HEAD', mainOf(git('branch', '--all', '--format=%(refname)').split('\n')))
    const told = `${git('diff', '--name-only', since)}\n${git('ls-files', '--others', '--exclude-standard')}`
    const changed = new Set(told.split('\n'))
    return files.filter((file) => changed.has(file))
  } catch {
    const { mtimeMs: installed } = statSync(join(root, 'node_modules/.package-lock.json'))
    return files.filter((file) => statSync(join(root, file)).mtimeMs > installed)
  }
}

const MAIN = ['refs/heads/main', 'refs/remotes/origin/main']
const mainOf = (branches: readonly string[]): string => MAIN.find((one) => branches.includes(one)) ?? 'HEAD'
