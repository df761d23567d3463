import { z } from 'zod'
import { needsToRead } from '../../model/access.ts'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { supportOf } from '../../model/kinds/requirement-result.ts'
import { Streamed, streamed } from '../bytes.ts'
import { refuseUnlessAllowed } from '../caller/rights.ts'
import { statement } from '../database/connect.ts'
import { NATURALLY } from '../database/natural-order.ts'
import { operation, type TransactionContext } from '../operation.ts'
import { referenceIn } from '../records/reference.ts'
import { ID } from '../records/schemas.ts'
import { notFound } from '../refusal.ts'
import { assessmentResults, type ExportedEvidence, type Standing } from './writing/assessment-results.ts'
import {
  componentDefinition,
  type ExportedControl,
  type ExportedRequirement,
} from './writing/component-definition.ts'
import { type Exported, piecesOf } from './writing/oscal-terms.ts'

/*
 * How a framework is met, as documents of OSCAL that other programs read: its controls as a component definition, and its
 * results with their evidence as assessment results. What is not in scope is in neither.
 */

const [control, evidence] = [kinds.control, kinds.evidence] as unknown as [Kind, Kind]
const needs = kinds.framework.access.read
const path = '/v1/frameworks/{id}/oscal'

export const exportComponentDefinition = operation({
  name: 'exportComponentDefinition',
  method: 'GET',
  path: `${path}/component-definition`,
  needs,
  writes: false,
  isAside: true,
  title: 'Export a framework’s controls as an OSCAL component definition',
  description:
    'Each control that is linked with a requirement in scope is a component, with the requirements that it implements. Its ids are the same in every export. Needs `read:controls` besides.',
  input: z.strictObject({ id: ID }),
  answers: 'stream',
  output: streamed,
  run: async (context, { id }) => {
    const { exported, requirements } = await readFramework(context, id, [control])
    const [links, controls] = await Promise.all([
      context.tx.read<Link>(readLinks(context.tx.organizationId, id)),
      context.tx.read<ExportedControl>(readLinked(context.tx.organizationId, id)),
    ])
    const inScope = new Set(requirements.map((one) => one.id))
    const implemented = idsBy(
      links.filter(({ requirementId }) => inScope.has(requirementId)),
      'controlId',
      'requirementId',
    )
    const standing = controls.filter((one) => implemented.has(one.id))
    return file(
      `component-definition-${nameOf(exported)}`,
      componentDefinition(exported, requirements, standing, implemented),
    )
  },
})

export const exportAssessmentResults = operation({
  name: 'exportAssessmentResults',
  method: 'GET',
  path: `${path}/assessment-results`,
  needs,
  writes: false,
  isAside: true,
  title: 'Export a framework’s results as OSCAL assessment results',
  description:
    'Each assessed requirement in scope is a finding, satisfied or not, with the evidence of what stands for it, also through mappings, as observations. Its ids are the same in every export. Needs `read:controls` and `read:evidence` besides.',
  input: z.strictObject({ id: ID }),
  answers: 'stream',
  output: streamed,
  run: async (context, { id }) => {
    const { tx } = context
    const { exported, requirements } = await readFramework(context, id, [control, evidence])
    const [support, proofs] = await Promise.all([
      tx.read<Link>(readSupport(tx.organizationId, id)),
      tx.read<{ requirementId: string; evidenceId: string }>(readDirect(tx.organizationId, id)),
    ])
    const controlsOf = idsBy(support, 'requirementId', 'controlId')
    const directOf = idsBy(proofs, 'requirementId', 'evidenceId')
    const inScope = requirements.map((one) => one.id)
    const controlIds = [...new Set(inScope.flatMap((one) => controlsOf.get(one) ?? []))]
    const [controls, shown] = await Promise.all([
      tx.read<ExportedControl>(readControls(tx.organizationId, controlIds)),
      tx.read<{ controlId: string; evidenceId: string }>(readShown(tx.organizationId, controlIds)),
    ])
    const shownBy = idsBy(shown, 'controlId', 'evidenceId')
    const standing = new Map(
      inScope.map((one): [string, Standing] => {
        const theirs = controlsOf.get(one) ?? []
        const all = [...(directOf.get(one) ?? []), ...theirs.flatMap((each) => shownBy.get(each) ?? [])]
        return [one, { controls: theirs, evidence: [...new Set(all)] }]
      }),
    )
    const evidenceIds = [...new Set([...standing.values()].flatMap((one) => one.evidence))]
    const found = await tx.read<ExportedEvidence>(readEvidence(tx.organizationId, evidenceIds))
    const document = assessmentResults(
      ...([exported, requirements, standing, controls, found] as const),
      idsBy(shown, 'evidenceId', 'controlId'),
    )
    return file(`assessment-results-${nameOf(exported)}`, document)
  },
})

interface Link {
  readonly requirementId: string
  readonly controlId: string
}

function idsBy<Name extends string, Other extends string>(
  rows: readonly Readonly<Record<Name | Other, string>>[],
  by: Name,
  of: Other,
): Map<string, string[]> {
  const all = new Map<string, string[]>()
  for (const row of rows) {
    const known = all.get(row[by])
    if (known) known.push(row[of])
    else all.set(row[by], [row[of]])
  }
  return all
}

/**
 * @param told the kinds whose records the document tells of
 * @throws {Refusal} `not_found`, and that of the rights where its caller may not read one of these
 */
async function readFramework(
  { tx, caller, parts }: TransactionContext,
  id: string,
  told: readonly Kind[],
): Promise<{ exported: Exported; requirements: readonly ExportedRequirement[] }> {
  const [[framework], requirements, now] = await Promise.all([
    tx.read<Exported['framework'] & { organizationName: string }>(findFramework(tx.organizationId, id)),
    tx.read<ExportedRequirement>(readRequirements(tx.organizationId, id)),
    tx.now,
  ])
  if (!framework) throw notFound()
  for (const kind of told) refuseUnlessAllowed(needsToRead(kind), caller, {})
  const { organizationName, ...rest } = framework
  const organization = { id: tx.organizationId, name: organizationName }
  return {
    exported: { organization, framework: rest, now, publicUrl: parts.config.publicUrl },
    requirements,
  }
}

const nameOf = ({ framework: { key, edition } }: Exported): string => `${key}-${edition}`

/** Letters that are sent at once. */
const CHUNK = 64 * 1024

function file(name: string, document: object): Streamed {
  return new Streamed({
    name: `${name.replaceAll(/[^\p{L}\p{N}.\-_]+/gu, '-')}.json`,
    type: 'application/json',
    bytes: null,
    open: async function* () {
      let waiting = ''
      for (const piece of piecesOf(document)) {
        waiting += piece
        if (waiting.length < CHUNK) continue
        yield Buffer.from(waiting)
        waiting = ''
      }
      yield Buffer.from(waiting)
    },
  })
}

const findFramework = statement(`
  select f.id, f.key, f.edition, f.name, f.publisher, f.version, f.source_format as "sourceFormat",
         f.source_uuid as "sourceUuid", f.source_href as "sourceHref",
         f.activated_at as "activatedAt", f.created_at as "createdAt", o.name as "organizationName"
    from frameworks f join organizations o on o.id = f.organization_id
   where f.organization_id = $1 and f.id = $2`)

const IN_SCOPE = `q.organization_id = $1 and q.framework_id = $2 and q.archived_at is null and q.assessable
  and (f.implementation_group is null or f.implementation_group = any(q.implementation_groups))`

const readRequirements = statement(`
  select q.id, q.key, q.source_id as "sourceId", q.title, q.applicability, q.justification, q.result, q.result_reason as "resultReason"
    from requirements q
    join frameworks f on f.organization_id = q.organization_id and f.id = q.framework_id
   where ${IN_SCOPE}
   order by q.sort_order nulls last, q.key ${NATURALLY}, q.id`)

const CONTROL = `c.id, ${referenceIn(control, 'c.')} as reference, c.code, c.title, c.description, c.category,
  c.implementation_status as "implementationStatus", c.status_reason as "statusReason"`

const readLinks = statement(`
  select l.requirement_id as "requirementId", l.control_id as "controlId"
    from requirements q
    join control_requirements l on l.organization_id = q.organization_id and l.requirement_id = q.id
   where q.organization_id = $1 and q.framework_id = $2
   order by q.sort_order nulls last, q.key ${NATURALLY}, q.id`)

const readLinked = statement(`
  select ${CONTROL} from controls c
   where c.organization_id = $1 and c.archived_at is null and c.implementation_status <> 'deprecated' and c.id in (
     select l.control_id from requirements q
       join control_requirements l on l.organization_id = q.organization_id and l.requirement_id = q.id
      where q.organization_id = $1 and q.framework_id = $2)
   order by c.code ${NATURALLY}, c.id`)

const readSupport = statement(`
  select distinct requirement_id as "requirementId", control_id as "controlId"
    from (${supportOf('$1', 'select id from requirements where organization_id = $1 and framework_id = $2')}) s
   where control_id is not null order by 1, 2`)

const readDirect = statement(`
  select l.requirement_id as "requirementId", l.evidence_id as "evidenceId"
    from requirements q
    join evidence_requirements l on l.organization_id = q.organization_id and l.requirement_id = q.id
    join evidence e on e.organization_id = l.organization_id and e.id = l.evidence_id
   where q.organization_id = $1 and q.framework_id = $2 and e.archived_at is null order by 1, 2`)

const readControls = statement(
  `select ${CONTROL} from controls c where c.organization_id = $1 and c.id = any($2) order by c.code ${NATURALLY}, c.id`,
)

const readShown = statement(`
  select l.control_id as "controlId", l.evidence_id as "evidenceId"
    from evidence_controls l
    join evidence e on e.organization_id = l.organization_id and e.id = l.evidence_id
   where l.organization_id = $1 and l.control_id = any($2) and e.archived_at is null order by 1, 2`)

const readEvidence = statement(`
  select e.id, ${referenceIn(evidence, 'e.')} as reference, e.title, e.description, e.status,
         coalesce(e.collected_at, e.created_at) as "collectedAt", e.expiry_date as "expiryDate"
    from evidence e where e.organization_id = $1 and e.id = any($2) order by e.id`)
