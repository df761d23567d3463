import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Plugin, runnerImport } from 'vite'
import type { KindEntry } from '../../model/described-kind.ts'
import type * as Index from './index.ts'

const INDEX = join(import.meta.dirname, 'index.ts')
const SHARED = join(import.meta.dirname, 'shared-fields.ts')
const RULES = join(import.meta.dirname, '../../model/kinds')
/** Before the name of a kind: the module of its data. */
const KIND = 'virtual:kind/'

/**
 * Puts plain data in the place of the modules beside this one that read the kinds, and makes a module of each kind. The
 * modules are run as they stand, with all they import, and again when one of that changes.
 */
export function kindsAsData(): Plugin {
  let root = ''
  return {
    name: 'kinds-as-data',
    configResolved(config) {
      root = config.root
    },
    resolveId: (id) => (id.startsWith(KIND) ? id : undefined),
    async load(id) {
      const run = async <Module>(file: string): Promise<Module> => {
        const { module, dependencies } = await runnerImport<Module>(file, { root, configFile: false })
        for (const one of dependencies) this.addWatchFile(one)
        return module
      }
      if (id === SHARED) return exported(await run<Record<string, unknown>>(SHARED))
      if (id === INDEX) {
        const { kindIndex } = await run<typeof Index>(INDEX)
        return indexOf(kindIndex, (name) => KIND + name)
      }
      if (!id.startsWith(KIND)) return undefined
      const name = id.slice(KIND.length)
      const { data, rules } = await (await run<typeof Index>(INDEX)).kindFiles[name]!()
      const own = join(RULES, `${name.replaceAll('_', '-')}-rules.ts`)
      if (Object.keys(rules).length > 0 !== existsSync(own))
        throw new Error(`the rules of ${name} stand in ${own}, and nowhere else`)
      return [
        exported({ data }),
        existsSync(own) ? `export { rules } from ${JSON.stringify(own)}` : 'export const rules = {}',
      ].join('\n')
    },
  }
}

/** The module of an index: what is known of each kind from the first, and the file of the rest. */
export function indexOf(
  kindIndex: Readonly<Record<string, KindEntry>>,
  fileOf: (name: string) => string,
): string {
  const files = Object.keys(kindIndex).map((name) => `${name}: () => import('${fileOf(name)}')`)
  return `${exported({ kindIndex })}\nexport const kindFiles = {${files.join(', ')}}`
}

const exported = (values: Readonly<Record<string, unknown>>): string =>
  Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
    .join('\n')
