import { z } from 'zod'
import { person } from '../../model/needs.ts'
import { statement } from '../database/connect.ts'
import { operation } from '../operation.ts'
import type { Catalog } from './catalog.ts'
import { frameworkLibrary } from './framework-library.ts'

const offered = z
  .object({
    library: z.string().describe('What an import calls it by'),
    key: z.string(),
    edition: z.string(),
    name: z.string(),
    shortName: z.string().nullable(),
    publisher: z.string().nullable(),
    description: z.string().nullable(),
    category: z.string().nullable(),
    jurisdiction: z.string().nullable(),
    sourceDate: z.string().nullable().describe('Of the edition, as it was published'),
    requirements: z.int(),
    assessable: z.int(),
    levels: z.array(z.object({ key: z.string(), title: z.string() })),
    frameworkId: z.string().nullable().describe('Where it is here already'),
  })
  .meta({ id: 'LibraryFramework', title: 'A framework of the library' })

export const listFrameworkLibrary = operation({
  name: 'listFrameworkLibrary',
  method: 'GET',
  path: '/v1/framework-library',
  needs: person('read:frameworks'),
  writes: false,
  title: 'List the library of frameworks',
  description:
    'Built-in frameworks with the identifiers and titles of their requirements. Import a file for the text of the requirements.',
  input: z.strictObject({}),
  output: z.object({ data: z.array(offered) }).meta({ id: 'FrameworkLibrary' }),
  run: async ({ tx }) => {
    const here = await tx.read<{ id: string; key: string; edition: string }>(editions(tx.organizationId))
    return {
      data: Object.entries(frameworkLibrary as Readonly<Record<string, Catalog>>).map(([library, one]) => ({
        library,
        ...{ key: one.key, edition: one.edition, name: one.name },
        ...{ shortName: one.shortName ?? null, publisher: one.publisher ?? null },
        ...{ description: one.description ?? null, category: one.category ?? null },
        ...{ jurisdiction: one.jurisdiction ?? null, sourceDate: one.sourceDate ?? null },
        requirements: one.requirements.length,
        assessable: one.requirements.filter(({ assessable }) => assessable).length,
        levels: one.levels.map(({ key, title }) => ({ key, title })),
        frameworkId: here.find(({ key, edition }) => key === one.key && edition === one.edition)?.id ?? null,
      })),
    }
  },
})

const editions = statement('select id, key, edition from frameworks where organization_id = $1')
