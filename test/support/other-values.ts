import { isDeepStrictEqual } from 'node:util'
import { kindOfPrefix } from '../../model/family.ts'
import type { Caller } from '../../server/caller/caller.ts'
import { makeColleague, makeOfKind } from './makers.ts'
import { bareOf, type Form, sample } from './samples.ts'
import type { TestService } from './service.ts'

/**
 * Values that a field takes, none of them the one it has: of a choice each other one, of any other form one. What it
 * has to point at is made.
 */
export async function otherValues(
  one: TestService,
  caller: Caller,
  form: Form,
  present: unknown,
): Promise<unknown[]> {
  const bare = bareOf(form)
  const others = await candidates(one, caller, bare)
  return others.filter((value) => !isDeepStrictEqual(value, present))
}

async function candidates(one: TestService, caller: Caller, bare: Form): Promise<unknown[]> {
  if (bare.enum) return bare.enum
  if (Array.isArray(bare.properties?.refId?.refersTo)) return [await makeColleague(one, caller)]
  const kind = typeof bare.refersTo === 'string' ? kindOfPrefix(bare.refersTo) : undefined
  if (kind) return [await makeOfKind(one, caller, kind)]
  switch (bare.type) {
    case 'boolean':
      return [true, false]
    case 'integer':
    case 'number':
      return [...new Set([bare.minimum ?? 0, bare.maximum ?? 1])]
    case 'array': {
      const [item] = await candidates(one, caller, bareOf(bare.items ?? {}))
      return [[item]]
    }
    case 'object':
      return [bare.properties ? await filled(one, caller, bare) : { sample: 'a value' }]
    default:
      return [sample(bare)]
  }
}

/** An object with all that it may have. */
async function filled(one: TestService, caller: Caller, { properties = {} }: Form): Promise<object> {
  const values = Object.entries(properties).map(async ([name, form]) => {
    const [value] = await candidates(one, caller, bareOf(form))
    return [name, value]
  })
  return Object.fromEntries(await Promise.all(values))
}
