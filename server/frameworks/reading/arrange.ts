import type { CatalogLevel, CatalogRequirement } from '../catalog.ts'
import { type Findings, quoted } from './faults.ts'
import { LIMITS } from './limits.ts'

/*
 * What every file has to come to: requirements that each have a key of their own, stand beneath one that is there, and
 * not beneath themselves. Files may name a parent behind its children; a catalog has it before them.
 */

/**
 * @param found in the order of the file
 * @returns them in that order, but a parent before its children; what is at fault is told in `findings`
 */
export function arrange(
  read: readonly CatalogRequirement[],
  levels: readonly CatalogLevel[],
  findings: Findings,
): CatalogRequirement[] {
  const found = read.map(composed)
  if (found.length === 0 && findings.isGood)
    findings.fault('', 'The file has no requirement: give one that has at least one.')
  if (found.length > LIMITS.requirements)
    findings.fault(
      found[LIMITS.requirements]!.place,
      `is requirement ${LIMITS.requirements + 1}: import at most ${LIMITS.requirements} at once, in parts of their own`,
    )
  if (levels.length > LIMITS.levels)
    findings.fault('', `The file has more than ${LIMITS.levels} levels: give at most so many.`)
  else tellUnknownLevels(found, levels, findings)
  const byKey = new Map<string, CatalogRequirement>()
  for (const one of found) {
    const first = byKey.get(one.key)
    if (first)
      findings.fault(
        one.place,
        `has the key ${quoted(one.key)}, as ${first.place} has: give each requirement a key of its own`,
      )
    else byKey.set(one.key, one)
  }
  for (const { parentKey, place } of found)
    if (parentKey !== undefined && !byKey.has(parentKey))
      findings.fault(
        place,
        `stands beneath ${quoted(parentKey)}, which never comes: add that, or name another parent`,
      )
  return inOrder([...byKey.values()], byKey, findings)
}

/** Keys as they are kept, so that two that look alike are one here already. */
const composed = ({ key, parentKey, levels, ...rest }: CatalogRequirement): CatalogRequirement => ({
  ...rest,
  key: key.normalize('NFC'),
  ...(parentKey !== undefined && { parentKey: parentKey.normalize('NFC') }),
  levels: [...new Set(levels.map((level) => level.normalize('NFC')))],
})

function tellUnknownLevels(
  found: readonly CatalogRequirement[],
  levels: readonly CatalogLevel[],
  findings: Findings,
): void {
  const known = new Set<string>()
  for (const { key: written } of levels) {
    const key = written.normalize('NFC')
    if (known.has(key))
      findings.fault('', `The level ${quoted(key)} is there twice: give each level a key of its own.`)
    known.add(key)
  }
  for (const { levels: its, place } of found)
    for (const level of its)
      if (!known.has(level))
        findings.fault(
          place,
          `is of level ${quoted(level)}, which the file does not define: ${known.size > 0 ? `give one of ${[...known].slice(0, 10).join(', ')}` : 'define it, or leave it out'}`,
        )
}

function inOrder(
  found: readonly CatalogRequirement[],
  byKey: ReadonlyMap<string, CatalogRequirement>,
  findings: Findings,
): CatalogRequirement[] {
  const children = new Map<string | undefined, CatalogRequirement[]>()
  for (const one of found) {
    // Whose parent never comes is told already, and stands at the top.
    const parent = one.parentKey !== undefined && byKey.has(one.parentKey) ? one.parentKey : undefined
    const siblings = children.get(parent)
    if (siblings) siblings.push(one)
    else children.set(parent, [one])
  }
  const ordered: CatalogRequirement[] = []
  const waiting = (children.get(undefined) ?? []).map((one) => ({ one, depth: 1 })).reverse()
  while (waiting.length > 0) {
    const { one, depth } = waiting.pop()!
    ordered.push(one)
    const beneath = children.get(one.key) ?? []
    if (depth === LIMITS.depth && beneath.length > 0)
      findings.fault(
        beneath[0]!.place,
        `stands ${depth + 1} deep: at most ${depth} stand beneath each other, so place it higher`,
      )
    for (const child of beneath.toReversed()) waiting.push({ one: child, depth: depth + 1 })
  }
  if (ordered.length < found.length) tellCircles(found, new Set(ordered), byKey, findings)
  return findings.isGood ? ordered : []
}

/** Each circle once, at the requirement of it that comes first. */
function tellCircles(
  found: readonly CatalogRequirement[],
  placed: ReadonlySet<CatalogRequirement>,
  byKey: ReadonlyMap<string, CatalogRequirement>,
  findings: Findings,
): void {
  const seen = new Set<string>()
  for (const begin of found) {
    if (placed.has(begin)) continue
    const way: string[] = []
    let at: CatalogRequirement | undefined = begin
    while (at && !seen.has(at.key)) {
      seen.add(at.key)
      way.push(at.key)
      at = byKey.get(at.parentKey!)
    }
    const from = at ? way.indexOf(at.key) : -1
    if (from === -1) continue
    const circle = way.slice(from)
    findings.fault(
      byKey.get(circle[0]!)!.place,
      `stands beneath itself (${[...circle, circle[0]!].slice(0, 6).join(' beneath ')}${circle.length > 5 ? ' …' : ''}): give one of these another parent`,
    )
  }
}
