import type { Catalog, CatalogMapping, Relationship, RequirementAddress } from '../catalog.ts'
import { dora } from './dora.ts'
import { euAiAct } from './eu-ai-act.ts'
import { gdpr } from './gdpr.ts'
import { iso27001of2013 } from './iso-27001-2013.ts'
import { iso27001of2022 } from './iso-27001-2022.ts'
import { ISO_27001_EDITIONS } from './iso-27001-editions.ts'
import { iso42001 } from './iso-42001.ts'
import { nis2 } from './nis-2.ts'
import { nistCsf2 } from './nist-csf-2.ts'
import * as own from './own-mappings.ts'
import { soc2 } from './soc-2.ts'

/* The mappings between the frameworks that the service brings along, from the lists that they are written as. */

const RELATIONSHIPS: Readonly<Record<string, Relationship>> = {
  '=': 'equivalent',
  '<': 'subset_of',
  '>': 'superset_of',
  '~': 'intersects',
}

const addressIn = ({ key: framework, edition }: Catalog, key: string): RequirementAddress => ({
  framework,
  edition,
  key,
})

const linesOf = (list: string): string[] => list.split('\n').filter((line) => line !== '')

const ownMappings = (source: Catalog, target: Catalog, list: string): CatalogMapping[] =>
  linesOf(list).flatMap((line) => {
    const [, key, sign, targets] = /^(.+?) ([=<>~]) (.+)$/.exec(line)!
    return targets!.split(', ').map((one) => ({
      source: addressIn(source, key!),
      target: addressIn(target, one),
      relationship: RELATIONSHIPS[sign!]!,
      rationale: 'semantic' as const,
      origin: 'community' as const,
    }))
  })

/**
 * That one control went into another is the word of the publisher; how far it fills it follows from that: alone it is
 * the same, with others a part, and one that went into several overlaps with each.
 */
function officialMappings(): CatalogMapping[] {
  const pairs = linesOf(ISO_27001_EDITIONS).flatMap((line) => {
    const [now, ...before] = line.replace(' <', '').split(' ')
    return before.map((one) => ({ now: now!, before: one }))
  })
  const count = (name: 'now' | 'before', key: string) => pairs.filter((pair) => pair[name] === key).length
  return pairs.map(({ now, before }) => ({
    source: addressIn(iso27001of2013, `A.${before}`),
    target: addressIn(iso27001of2022, `A.${now}`),
    relationship:
      count('before', before) > 1 ? 'intersects' : count('now', now) > 1 ? 'subset_of' : 'equivalent',
    rationale: 'semantic',
    origin: 'official',
  }))
}

export const mappings: readonly CatalogMapping[] = [
  ...officialMappings(),
  ...ownMappings(iso27001of2022, nistCsf2, own.ISO_27001_TO_NIST_CSF),
  ...ownMappings(iso27001of2022, soc2, own.ISO_27001_TO_SOC_2),
  ...ownMappings(iso27001of2022, nis2, own.ISO_27001_TO_NIS_2),
  ...ownMappings(iso27001of2022, dora, own.ISO_27001_TO_DORA),
  ...ownMappings(iso27001of2022, gdpr, own.ISO_27001_TO_GDPR),
  ...ownMappings(iso27001of2022, iso42001, own.ISO_27001_TO_ISO_42001),
  ...ownMappings(iso42001, euAiAct, own.ISO_42001_TO_EU_AI_ACT),
  ...ownMappings(nis2, dora, own.NIS_2_TO_DORA),
]
