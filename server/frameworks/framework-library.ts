import type { Catalog, CatalogMapping } from './catalog.ts'
import { dora } from './library/dora.ts'
import { euAiAct } from './library/eu-ai-act.ts'
import { gdpr } from './library/gdpr.ts'
import { iso27001of2013 } from './library/iso-27001-2013.ts'
import { iso27001of2022 } from './library/iso-27001-2022.ts'
import { iso42001 } from './library/iso-42001.ts'
import { mappings } from './library/mappings.ts'
import { nis2 } from './library/nis-2.ts'
import { nistCsf2 } from './library/nist-csf-2.ts'
import { soc2 } from './library/soc-2.ts'

/** The built-in frameworks by name: outlines of identifiers and titles (`library/outline.ts`). */
export const frameworkLibrary = {
  iso_27001_2022: iso27001of2022,
  iso_27001_2013: iso27001of2013,
  nist_csf_2: nistCsf2,
  soc_2: soc2,
  gdpr,
  nis_2: nis2,
  dora,
  iso_42001: iso42001,
  eu_ai_act: euAiAct,
} as const satisfies Readonly<Record<string, Catalog>>

export type LibraryName = keyof typeof frameworkLibrary

/** Between its frameworks; those of which both are here can be kept. */
export const libraryMappings: readonly CatalogMapping[] = mappings
