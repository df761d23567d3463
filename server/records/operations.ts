import { z } from 'zod'
import { fieldsForPrograms, needsOf, type Verb } from '../../model/access.ts'
import { callsOf } from '../../model/calls.ts'
import type { Values } from '../../model/complaint.ts'
import { type Child, isChild, parentKind, pathsOf } from '../../model/family.ts'
import { COMMON_FIELDS, type Kind, principalFields } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import { isForPersons, type Needs } from '../../model/needs.ts'
import { reasonOf } from '../../model/readings.ts'
import { single, withArticle } from '../../model/roles.ts'
import { type AnyOperation, type FieldRules, nothing, operation } from '../operation.ts'
import type { Code } from '../refusal.ts'
import { addressed } from './addressed.ts'
import { archiveOperationsOf } from './archive.ts'
import { flagsOf } from './attention.ts'
import { createBatch } from './batch.ts'
import { updateRecord } from './change-record.ts'
import { createRecord } from './create-record.ts'
import { countDependents, dependentCounts, hasUnlinkable } from './dependents.ts'
import { historyPage, recordHistory } from './history.ts'
import { needsOfIdsGiven } from './linked-ids.ts'
import { linkOperationsOf } from './links.ts'
import { listRecords, listShape } from './list.ts'
import { refuseForeign } from './own-records.ts'
import { PAGE, pageOf } from './paging.ts'
import { needsOfFilters, readableBy } from './readable.ts'
import { deleteRecord, type Removal } from './removal.ts'
import { changeShape, creationSchema, ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from './schemas.ts'
import { sharedTools } from './shared-tools.ts'
import { recordSignalPage, recordSignals } from './signals.ts'
import { assertThere, getRecord } from './stored-record.ts'
import { summarize, summarySchema, summaryShape } from './summary.ts'
import { upsertOne } from './upsert.ts'

/** The operations of a kind: what it says who may do with its records. */
export function recordOperationsOf(kind: Kind): AnyOperation[] {
  const offered = <Made>(verb: Verb, make: (needs: Needs) => Made[]): Made[] => {
    const needs = needsOf(kind, verb)
    return needs ? make(needs) : []
  }
  return [
    ...offered('read', (needs) => [
      list(kind, needs),
      ...(isChild(kind) ? [listUnder(kind, needs)] : []),
      summary(kind, needs),
    ]),
    ...offered('create', (needs) => [
      create(kind, needs),
      createBatch(kind, needs, create(kind, needs), kind.example ? withParent(kind, kind.example) : null),
      // For programs alone; a kind that they only add to has none.
      ...offered('update', (toUpdate) =>
        isForPersons(toUpdate) && !isForPersons(needs)
          ? []
          : [upsertOne(kind, needs, toUpdate, create(kind, needs), changeRefusals(kind))],
      ),
    ]),
    ...offered('read', (needs) => [
      get(kind, needs),
      dependents(kind, needs),
      history(kind, needs),
      ...(kind.signals.length > 0 ? [signals(kind, needs)] : []),
    ]),
    ...offered('update', (needs) => [update(kind, needs)]),
    ...offered('archive', (needs) => archiveOperationsOf(kind, needs)),
    ...offered('delete', (needs) => [remove(kind, needs)]),
    ...linkOperationsOf(kind),
  ].map((one) => addressed(kind, one))
}

const principalRefusals = (kind: Kind): Code[] =>
  principalFields(kind).length > 0 ? ['principal_not_found', 'principal_inactive'] : []
const changeRefusals = (kind: Kind): Code[] => [
  'conflict',
  'invalid_transition',
  ...principalRefusals(kind),
  ...(kind.writableBy ? (['field_not_permitted'] as const) : []),
]
const id = ID

function list(kind: Kind, needs: Needs) {
  return operation({
    name: callsOf(kind).list,
    method: 'GET',
    path: pathsOf(kind).all,
    needs: shownToOwners(kind, needs),
    writes: false,
    title: `List ${kind.noun.many}`,
    ...(kind.about ? { description: kind.about } : {}),
    rowFields: ['id', 'reference', ...kind.columns, 'version'],
    rowMarks: rowMarksOf(kind),
    input: z.strictObject(listShape(kind)),
    output: pageOf(recordSchema(kind)),
    needsFor: (input) => needsOfFilters(kind, input),
    run: (context, input) => listRecords(context, kind, input) as never,
  })
}

/** What asks somebody to see to a record, with the reason: its status alone would say that all is well. */
const rowMarksOf = (kind: Kind): string[] =>
  flagsOf(kind).flatMap((flag) => [flag, reasonOf(kind, flag)].filter((name) => name !== undefined))

/** The same of one parent, whose path says which. */
function listUnder(kind: Child, needs: Needs) {
  const { field } = kind.under
  const parent = parentKind(kind)
  const { [field]: _, ...filters } = listShape(kind)
  return operation({
    name: callsOf(kind).listUnder,
    sharedTool: { ...sharedTools.listUnder, kind },
    method: 'GET',
    path: pathsOf(kind).made,
    needs,
    writes: false,
    title: `List ${kind.noun.many} of ${withArticle(parent.noun)}`,
    description: `Takes all other filters of ${callsOf(kind).list}.`,
    rowFields: ['id', 'reference', ...kind.columns, 'version'],
    rowMarks: rowMarksOf(kind),
    input: z.strictObject({ [field]: ID.meta({ refersTo: parent.idPrefix }), ...filters }),
    output: pageOf(recordSchema(kind)),
    needsFor: (input) => needsOfFilters(kind, input),
    run: async (context, { [field]: id, ...input }: Values) => {
      const [page] = await Promise.all([
        listRecords(context, kind, { ...input, [field]: [id] }),
        assertThere(context, parent, id as string),
      ])
      return page as never
    },
  })
}

/** An example of one, beneath a parent where it has one. */
const withParent = (kind: Kind, example: Values): Values =>
  isChild(kind)
    ? { [kind.under.field]: `${parentKind(kind).idPrefix}_01k9f8qxk2e9mbz6w0h5t4v3ra`, ...example }
    : example

function summary(kind: Kind, needs: Needs) {
  return operation({
    name: callsOf(kind).summarize,
    sharedTool: { ...sharedTools.summarize, kind },
    method: 'GET',
    path: `${pathsOf(kind).all}/summary`,
    needs,
    writes: false,
    title: `Count ${kind.noun.many}`,
    description: 'By each of their choices; takes all filters of the list.',
    input: z.strictObject(summaryShape(kind)),
    output: summarySchema(kind),
    needsFor: (input) => needsOfFilters(kind, input),
    run: (context, input) => summarize(context, kind, input) as never,
  })
}

function get(kind: Kind, needs: Needs) {
  return operation({
    name: callsOf(kind).get,
    sharedTool: { ...sharedTools.get, kind },
    method: 'GET',
    path: pathsOf(kind).one,
    needs: shownToOwners(kind, needs),
    writes: false,
    title: `Read ${single(kind.noun)}`,
    input: z.strictObject({ id }),
    output: recordSchema(kind),
    run: async (context, input) => {
      const [record] = await Promise.all([
        getRecord(context, kind, input.id),
        refuseForeign(context, kind, input.id),
      ])
      return readableBy(context.caller, kind, record) as never
    },
  })
}

/** The list and one of them; nothing else of a kind is open to who sees what is theirs alone. */
const shownToOwners = ({ isShownToOwners }: Kind, needs: Needs): Needs =>
  isShownToOwners ? { ...needs, forOwners: true } : needs

function create(kind: Kind, needs: Needs) {
  const needsFor = needsOfIdsGiven(kind)
  return operation({
    name: callsOf(kind).create,
    method: 'POST',
    path: pathsOf(kind).made,
    needs,
    ...(needsFor ? { needsFor } : {}),
    writes: true,
    title: `${kind.noun.made ?? 'Add'} ${withArticle(kind.noun)}`,
    input: creationSchema(kind),
    refusals: ['conflict', ...principalRefusals(kind)],
    ...(kind.example ? { example: withParent(kind, kind.example) } : {}),
    output: recordSchema(kind),
    location: (record) => `${pathsOf(kind).all}/${(record as Values).id}`,
    run: async (context, input) =>
      readableBy(context.caller, kind, await createRecord(context, kind, { given: input })) as never,
  })
}

function update(kind: Kind, needs: Needs) {
  return operation({
    name: callsOf(kind).update,
    method: 'PATCH',
    path: pathsOf(kind).one,
    needs,
    writes: true,
    title: `Change ${withArticle(kind.noun)}`,
    description: `What is absent stays, null clears. What was read can be sent back whole.${writableWords(kind)}`,
    input: z.strictObject({ id, ifMatch: IF_MATCH, ...changeShape(kind) }),
    fieldRules: fieldRulesOf(kind),
    ...(kind.example ? { example: changeExample(kind, kind.example) } : {}),
    output: recordSchema(kind),
    headers: IF_MATCH_HEADER,
    refusals: changeRefusals(kind),
    annotations: { idempotent: true },
    run: async (context, { id, ifMatch, ...input }) =>
      readableBy(context.caller, kind, await updateRecord(context, kind, id, input, ifMatch)) as never,
  })
}

function fieldRulesOf(kind: Kind): FieldRules {
  const { fields, required, defaults, states } = kind
  const writable = fieldsForPrograms(kind)
  const all = [...Object.keys(fields), ...Object.keys(COMMON_FIELDS)]
  return {
    ofPersons: writable ? all.filter((field) => !writable.includes(field)) : [],
    notCleared: [...required, ...Object.keys(defaults)],
    notChosen: Object.fromEntries(
      states.flatMap(({ field, byAction }) => (byAction ? [[field, Object.keys(byAction)]] : [])),
    ),
  }
}

function writableWords(kind: Kind): string {
  const fields = fieldsForPrograms(kind)?.map((field) => `\`${field}\``) ?? []
  const last = fields.pop()
  return last
    ? ` A key may change no more than ${[fields.join(', '), last].filter(Boolean).join(' and ')}.`
    : ''
}

/** A small change that any credential may make. */
function changeExample(kind: Kind, made: Values): Values {
  const field = (fieldsForPrograms(kind) ?? kind.required).find((one) => one in made)
  return { id: `${kind.idPrefix}_01k9f8qxk2e9mbz6w0h5t4v3ra`, ...(field ? { [field]: made[field] } : {}) }
}

function remove(kind: Kind, needs: Needs) {
  return operation({
    name: callsOf(kind).delete,
    sharedTool: { ...sharedTools.delete, kind },
    method: 'DELETE',
    path: pathsOf(kind).one,
    needs,
    writes: true,
    title: `Remove ${withArticle(kind.noun)}`,
    input: z.strictObject({ id, ifMatch: IF_MATCH, ...(hasUnlinkable(kind) ? { force: FORCE } : {}) }),
    output: nothing,
    headers: IF_MATCH_HEADER,
    refusals: ['referenced'],
    annotations: { destructive: true, idempotent: true },
    run: async (context, input) => {
      await deleteRecord(context, kind, input.id, input as Removal)
      return null
    },
  })
}

const FORCE = z
  .enum(['unlink'])
  .optional()
  .meta({ title: 'Force' })
  .describe('unlink: also where others are linked with it, or name it and can do without, which are unlinked')

function dependents(kind: Kind, needs: Needs) {
  return operation({
    name: callsOf(kind).dependents,
    sharedTool: { ...sharedTools.dependents, kind },
    method: 'GET',
    path: `${pathsOf(kind).one}/dependents`,
    needs,
    writes: false,
    title: `Count what depends on ${withArticle(kind.noun)}`,
    description: sharedTools.dependents.description,
    input: z.strictObject({ id }),
    output: dependentCounts,
    run: (context, input) => countDependents(context, kind, input.id),
  })
}

function history(kind: Kind, needs: Needs) {
  return operation({
    name: callsOf(kind).history,
    sharedTool: { ...sharedTools.history, kind },
    method: 'GET',
    path: `${pathsOf(kind).one}/history`,
    needs,
    writes: false,
    title: `Read what happened to ${withArticle(kind.noun)}`,
    input: z.strictObject({ id, ...PAGE }),
    output: historyPage,
    run: (context, input) => recordHistory(context, kind, input),
  })
}

function signals(kind: Kind, needs: Needs) {
  return operation({
    name: callsOf(kind).signals,
    sharedTool: { ...sharedTools.signals, kind },
    method: 'GET',
    path: `${pathsOf(kind).one}/signals`,
    needs,
    writes: false,
    title: `List the signals that left for ${withArticle(kind.noun)}`,
    description: 'With the right to read webhooks, also what became of each delivery.',
    input: z.strictObject({ id, ...PAGE }),
    output: recordSignalPage,
    run: (context, input) => recordSignals(context, kind, input),
  })
}

/** Those of every kind: a kind gets its calls by being listed. */
export const recordOperations: AnyOperation[] = everyKind.flatMap(recordOperationsOf)
