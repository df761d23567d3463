/*
 * A framework as a file or the library has it, before anything of it is kept: what every reader comes to, and what an
 * import works from, whatever the file was.
 */

export interface Catalog {
  readonly format: 'oscal' | 'ca_library' | 'csv' | 'xlsx' | 'builtin'
  /** The same in all editions of it, and unique with the edition: `urn:…`. */
  readonly key: string
  /** As it is published: `2022`, `5.1.1`. */
  readonly edition: string
  readonly name: string
  readonly shortName?: string
  readonly publisher?: string
  readonly description?: string
  /** A language tag, such as `en`. */
  readonly locale?: string
  readonly jurisdiction?: string
  readonly category?: CatalogCategory
  readonly license?: string
  /** The day from which the source is, `YYYY-MM-DD`. */
  readonly sourceDate?: string
  /** The document that it was read from, as OSCAL exports name it. */
  readonly source?: { readonly uuid?: string; readonly href?: string }
  readonly levels: readonly CatalogLevel[]
  /** In their order, a parent before its children. */
  readonly requirements: readonly CatalogRequirement[]
}

export type CatalogCategory =
  | 'security'
  | 'privacy'
  | 'ai_governance'
  | 'quality'
  | 'financial'
  | 'continuity'
  | 'sector'
  | 'custom'

/** What one may aim at: an implementation group, a baseline. */
export interface CatalogLevel {
  readonly key: string
  readonly title: string
  readonly about?: string
}

export interface CatalogRequirement {
  /** As it is printed: `A.5.1`, `AC-2(1)`. */
  readonly key: string
  /** The key under which earlier versions of the service imported it, where that was another one. */
  readonly formerKey?: string
  /** Its id in the file where that is not its key: the control id of OSCAL, such as `ac-2.1`. */
  readonly sourceId?: string
  readonly parentKey?: string
  readonly title?: string
  readonly text?: string
  readonly guidance?: string
  readonly kind: RequirementKind
  readonly assessable: boolean
  /** Keys of levels; of all levels, where there is none. */
  readonly levels: readonly string[]
  readonly weight?: number
  readonly importance?: Importance
  readonly typicalEvidence?: string
  readonly annotation?: string
  /** Where it stands in the file: a path of JSON, a line and column, a row. */
  readonly place: string
}

export const REQUIREMENT_KINDS = ['group', 'requirement', 'statement', 'question'] as const
export type RequirementKind = (typeof REQUIREMENT_KINDS)[number]

export const IMPORTANCES = ['mandatory', 'recommended', 'optional'] as const
export type Importance = (typeof IMPORTANCES)[number]

/** That one requirement covers another, wholly or in part. */
export interface CatalogMapping {
  readonly source: RequirementAddress
  readonly target: RequirementAddress
  readonly relationship: Relationship
  readonly rationale: Rationale
  /** Whose word it is: of those who publish the frameworks, or ours, which is not that of the organization. */
  readonly origin: 'official' | 'community'
}

/** One requirement of one edition. */
export interface RequirementAddress {
  readonly framework: string
  readonly edition: string
  readonly key: string
}

export type Relationship =
  | 'equal'
  | 'equivalent'
  | 'subset_of'
  | 'superset_of'
  | 'intersects'
  | 'no_relationship'

export type Rationale = 'syntactic' | 'semantic' | 'functional'

/** What a library of CISO Assistant may hold besides a framework, or in place of one. */
export interface LibraryParts {
  readonly mappingSets: readonly MappingSet[]
  readonly matrix: LibraryMatrix | null
  /** The requirements of its framework by their keys, with the URNs by which mapping sets name them. */
  readonly urns: readonly (readonly [key: string, urn: string])[]
}

/** How the requirements of one framework relate to those of another. */
export interface MappingSet {
  readonly name: string
  /** The keys of the frameworks, which are their URNs. */
  readonly source: string
  readonly target: string
  readonly mappings: readonly LibraryMapping[]
}

export interface LibraryMapping {
  /** The URNs of two requirements. */
  readonly source: string
  readonly target: string
  readonly relationship: Relationship
  readonly rationale?: Rationale
  readonly strength?: number
  readonly note?: string
}

export interface MatrixStep {
  readonly label: string
  readonly description: string | null
}

export interface MatrixLevel extends MatrixStep {
  readonly colour?: 'grey' | 'blue' | 'teal' | 'green' | 'yellow' | 'orange' | 'red' | 'purple'
}

/** A risk matrix as a library has it: the steps from the lowest, and for each pair of them the place of a level. */
export interface LibraryMatrix {
  readonly name: string
  readonly likelihoods: readonly MatrixStep[]
  readonly impacts: readonly MatrixStep[]
  readonly levels: readonly MatrixLevel[]
  readonly grid: readonly (readonly number[])[]
}
