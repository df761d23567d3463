import type { Complaint, Values } from '../complaint.ts'
import type { KindRules, Write } from '../kind-rules.ts'
import { refuseText } from './framework-rules.ts'

/** The text, which belongs to the edition; all else is the answer of the organization. */
export const TEXT_FIELDS = [
  'key',
  'title',
  'text',
  'guidance',
  'parentId',
  'sortOrder',
  'assessable',
  'kind',
  'implementationGroups',
  'weight',
  'importance',
  'typicalEvidence',
  'annotation',
] as const

const DEPTH_AT_MOST = 20

interface Around {
  readonly isOfCatalog: boolean | null
  /** That is aimed at in its framework. */
  readonly level: string | null
  readonly frameworkOfParent: string | null
  readonly depthOfParent: number | null
  readonly hasBelow: boolean
  /** Whether it is a clause of a management system, which cannot be excluded (management-clause.ts). */
  readonly isClause: boolean
}

export const rules: Partial<KindRules> = {
  derive: (values, facts, write) => {
    if (!facts || !write) return {}
    const { depthOfParent, level } = facts.around as Around
    return {
      depth: depthOfParent === null ? 0 : depthOfParent + 1,
      inScope: isInScope(values, level),
      ...resultOf(values, write, facts.follows as { result: string | null; unproven: boolean }),
    }
  },
  refuse: (before, after, given, decided, facts) =>
    refuseAnswer(after) ??
    (facts
      ? (refuseExclusion(before, after, facts.around as Around) ??
        refuseShape(before, after, given, decided, facts.around as Around))
      : null),
  refuseDeletion: (_, facts) =>
    (facts.around as Around).isOfCatalog
      ? {
          conflict:
            'It belongs to the edition as it was imported: answer that it does not apply, with a justification.',
        }
      : null,
}

const isInScope = (values: Values, level: string | null): boolean =>
  values.assessable === true &&
  values.applicability !== 'not_applicable' &&
  (level === null || ((values.implementationGroups ?? []) as readonly string[]).includes(level))

/** What was given stays, with its reason, until it is let follow again; else it follows from what stands for it. */
function resultOf(
  values: Values,
  { before, given }: Write,
  follows: { readonly result: string | null; readonly unproven: boolean },
): Values {
  const wasPinned = before?.resultPinned === true
  const isMoved = values.result !== (before?.result ?? 'not_assessed')
  // Who adds one and says that nothing is assessed says nothing.
  const isSaid = values.result !== 'not_assessed' || Boolean(values.resultReason)
  const isLeft = given?.has('resultPinned') === true && values.resultPinned === false
  // Given and left to follow at once: refused below.
  if (isLeft && isMoved) return { resultPinned: null }
  const isGiven = given?.has('result') ? (isMoved || isSaid) && !isLeft : isMoved
  const isLetGo = wasPinned && values.resultPinned === false
  if (!isLetGo && (values.resultPinned === true || isGiven))
    return { resultPinned: true, unproven: false, result: values.result ?? 'not_assessed' }
  const applies = values.applicability !== 'not_applicable'
  return {
    resultPinned: false,
    ...(isLetGo ? { resultReason: null } : {}),
    result: applies ? (follows.result ?? 'not_assessed') : 'not_applicable',
    unproven: applies && follows.unproven,
  }
}

function refuseExclusion(before: Values | null, after: Values, { isClause }: Around): Complaint | null {
  const isExcluded = after.applicability === 'not_applicable' && before?.applicability !== 'not_applicable'
  return isExcluded && isClause
    ? {
        path: 'applicability',
        message:
          'clauses 4 to 10 of a management system standard cannot be excluded: only controls of its annexes can',
      }
    : null
}

function refuseAnswer(after: Values): Complaint | null {
  if (after.applicability === 'not_applicable' && !after.justification)
    return { path: 'justification', message: 'say why it does not apply' }
  if (after.resultPinned === null)
    return {
      path: 'resultPinned',
      message: 'is false, which lets the result follow: leave it out to give one, or leave out result',
    }
  if (after.resultPinned && !after.resultReason)
    return {
      path: 'resultReason',
      message: 'say why the result is what you say: it stays until you let it follow again',
    }
  if (!after.resultPinned && after.resultReason)
    return { path: 'resultReason', message: 'is of a result that you give: give result with it' }
  if (!after.assessable && after.resultPinned)
    return {
      path: 'result',
      message: 'is for what is assessable, and this is a heading: answer what is below it',
    }
  return null
}

function refuseShape(
  before: Values | null,
  after: Values,
  given: ReadonlySet<string>,
  decided: ReadonlySet<string> | undefined,
  { isOfCatalog, frameworkOfParent, hasBelow }: Around,
): Complaint | null {
  if (before === null && isOfCatalog && !decided?.has('key'))
    return {
      path: 'frameworkId',
      message: 'is a catalog, whose requirements an import brings: give a framework of your own',
    }
  const refused = refuseText(TEXT_FIELDS, before, after, given, decided, isOfCatalog === true)
  if (refused) return refused
  const moves = after.parentId !== (before?.parentId ?? null)
  if (moves && after.parentId && frameworkOfParent !== after.frameworkId)
    return { path: 'parentId', message: 'is of another framework: give one of the same' }
  if (moves && before && hasBelow && !decided?.has('parentId'))
    return {
      path: 'parentId',
      message: 'has requirements below it, which would go with it: move these first',
    }
  if (Number(after.depth) > DEPTH_AT_MOST)
    return { path: 'parentId', message: `is ${DEPTH_AT_MOST} deep already: put it further up` }
  return null
}
