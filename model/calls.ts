import type { Kind } from './kind.ts'

/** `riskTreatment` and `RiskTreatment` of `risk_treatment`. */
export const camel = (name: string): string =>
  name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
export const pascal = (name: string): string => camel(`_${name}`)

/** What the operations of a kind are called, at every door. */
export const callsOf = ({
  name,
  plural,
  under,
}: Pick<Kind, 'name' | 'plural'> & {
  readonly under?: { readonly kind: string } | undefined
}) => ({
  list: `list${pascal(plural)}`,
  listUnder: `list${pascal(plural)}Of${pascal(under?.kind ?? '')}`,
  summarize: `summarize${pascal(plural)}`,
  export: `export${pascal(plural)}`,
  create: `create${pascal(name)}`,
  createBatch: `create${pascal(name)}Batch`,
  upsert: `upsert${pascal(name)}`,
  get: `get${pascal(name)}`,
  dependents: `get${pascal(name)}Dependents`,
  history: `get${pascal(name)}History`,
  signals: `list${pascal(name)}Signals`,
  links: `list${pascal(name)}Links`,
  link: `link${pascal(name)}`,
  unlink: `unlink${pascal(name)}`,
  update: `update${pascal(name)}`,
  archive: `archive${pascal(name)}`,
  unarchive: `unarchive${pascal(name)}`,
  delete: `delete${pascal(name)}`,
})
