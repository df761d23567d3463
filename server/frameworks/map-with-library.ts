import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import type { TransactionContext } from '../operation.ts'
import { linkRecords } from '../records/link-records.ts'
import type { Catalog, RequirementAddress } from './catalog.ts'
import { libraryMappings } from './framework-library.ts'
import { findEdition, readStanding } from './standing-framework.ts'

const requirement = kinds.requirement as unknown as Kind

/**
 * Maps the requirements of a framework of the library with those of others of it that are here, as the library knows them
 * to answer each other. What was imported from a file stands by its own key, and is nobody's to map but its owner's.
 * @returns how many mappings were made
 */
export async function mapWithLibrary(
  context: TransactionContext,
  frameworkId: string,
  { key, edition }: Pick<Catalog, 'key' | 'edition'>,
): Promise<number> {
  const isThis = (one: RequirementAddress) => one.framework === key && one.edition === edition
  const about = libraryMappings.filter(({ source, target }) => isThis(source) || isThis(target))
  const ids = new Map<string, ReadonlyMap<string, string>>()
  const idsOf = async ({ framework, edition: of }: RequirementAddress) => {
    const name = `${framework} ${of}`
    const known = ids.get(name)
    if (known) return known
    const id = framework === key && of === edition ? frameworkId : await otherId(context, framework, of)
    const standing = id === null ? [] : await readStanding(context.tx, id)
    const found = new Map(standing.map((one) => [one.values.key, one.id]))
    ids.set(name, found)
    return found
  }
  let made = 0
  for (const { source, target, relationship, rationale, origin } of about) {
    const id = (await idsOf(source)).get(source.key)
    const targetId = (await idsOf(target)).get(target.key)
    if (id === undefined || targetId === undefined) continue
    const says = { relationship, rationale, origin }
    await linkRecords(context, requirement, { id, targetKind: 'mapping_target', targetId, ...says })
    made += 1
  }
  return made
}

async function otherId({ tx }: TransactionContext, key: string, edition: string): Promise<string | null> {
  const standing = await findEdition(tx, key, edition)
  return standing?.kind === 'catalog' ? standing.id : null
}
