import { valueWord } from '../../../model/value-word.ts'
import { componentType, type ExportedControl, type ExportedRequirement } from './component-definition.ts'
import {
  controlIds,
  type Exported,
  frameworkResource,
  line,
  metadata,
  moment,
  property,
  prose,
  some,
  uuidOf,
} from './oscal-terms.ts'

/** Evidence of a requirement, or of a control that stands for one. */
export interface ExportedEvidence {
  readonly id: string
  readonly reference: string
  readonly title: string
  readonly description: string | null
  readonly status: string
  readonly collectedAt: string
  /** The day on which it ends to show anything. */
  readonly expiryDate: string | null
}

/** What stands for a requirement: ids of controls, and of evidence. */
export interface Standing {
  readonly controls: readonly string[]
  readonly evidence: readonly string[]
}

/**
 * The results of a framework's requirements as findings, each with the evidence that was looked at. What nobody has
 * assessed is no finding, and what does not apply was not reviewed.
 */
export function assessmentResults(
  exported: Exported,
  requirements: readonly ExportedRequirement[],
  standing: ReadonlyMap<string, Standing>,
  controls: readonly ExportedControl[],
  evidence: readonly ExportedEvidence[],
  controlsOf: ReadonlyMap<string, readonly string[]>,
) {
  const { framework, now } = exported
  const ids = controlIds(requirements, framework.sourceFormat === 'oscal')
  const isAside = ({ applicability, result }: ExportedRequirement) =>
    applicability === 'not_applicable' || result === 'not_applicable'
  const aside = requirements.filter(isAside)
  const reviewed = requirements.filter((one) => !isAside(one))
  const assessed = reviewed.filter(({ result }) => result !== 'not_assessed')
  const waiting = reviewed.length - assessed.length
  const select = (all: readonly ExportedRequirement[]) =>
    all.map(({ id }) => ({ 'control-id': ids.get(id)! }))
  const name = `${framework.name} ${framework.edition}`
  const plan = uuidOf(framework.id, 'assessment-plan')
  return {
    'assessment-results': {
      uuid: uuidOf(framework.id, 'assessment-results'),
      metadata: metadata(`Results for ${name}`, exported),
      'import-ap': {
        href: `#${plan}`,
        remarks: 'Results are kept as controls and evidence change, by no plan of one assessment.',
      },
      results: [
        {
          uuid: uuidOf(framework.id, 'result'),
          title: line(`How far ${name} is met`),
          description: prose(
            `Of ${requirements.length} requirements in scope ${assessed.length} are assessed, ${waiting} are not yet, and ${aside.length} do not apply.`,
          ),
          start: moment(framework.activatedAt ?? framework.createdAt),
          end: moment(now),
          ...(controls.length > 0 && {
            'local-definitions': { components: controls.map(component) },
          }),
          'reviewed-controls': {
            'control-selections': [
              {
                description: `What is looked at of ${line(name)}`,
                ...(reviewed.length > 0 ? { 'include-controls': select(reviewed) } : { 'include-all': {} }),
                ...some('exclude-controls', select(aside)),
              },
            ],
          },
          ...some(
            'observations',
            evidence.map((one) => observation(exported, one, controlsOf.get(one.id) ?? [])),
          ),
          ...some(
            'findings',
            assessed.map((one) => finding(one, ids.get(one.id)!, standing.get(one.id))),
          ),
        },
      ],
      'back-matter': {
        resources: [
          frameworkResource(exported),
          {
            uuid: plan,
            title: line(`Assessment of ${name}`),
            description: 'What is assessed, and by which controls, is kept in the service itself.',
            rlinks: [{ href: `${exported.publicUrl}/frameworks/${framework.id}`, 'media-type': 'text/html' }],
          },
        ],
      },
    },
  }
}

const component = ({ id, code, title, description, category, implementationStatus }: ExportedControl) => ({
  uuid: uuidOf(id),
  type: componentType(category),
  title: line(`${code} ${title}`),
  description: prose(description ?? title),
  status: {
    state: implementationStatus === 'implemented' ? 'operational' : 'under-development',
  },
})

const observation = (
  { publicUrl }: Exported,
  { id, reference, title, description, status, collectedAt, expiryDate }: ExportedEvidence,
  controls: readonly string[],
) => ({
  uuid: uuidOf(id),
  title: line(title),
  description: prose(description ?? title),
  props: [property('reference', reference), property('status', status)],
  methods: ['EXAMINE'],
  ...some(
    'subjects',
    controls.map((control) => ({ 'subject-uuid': uuidOf(control), type: 'component' })),
  ),
  'relevant-evidence': [{ href: `${publicUrl}/evidence/${id}`, description: prose(`${reference} ${title}`) }],
  collected: moment(collectedAt),
  ...(expiryDate !== null && { expires: moment(`${expiryDate}T23:59:59.999Z`) }),
})

function finding(
  { id, key, title, result, resultReason, applicability, justification }: ExportedRequirement,
  controlId: string,
  standing: Standing | undefined,
) {
  const isMet = result === 'compliant'
  const why = [
    `${valueWord(result)}.`,
    resultReason && `Given by a person: ${resultReason}`,
    applicability === 'inherited' && `Inherited${justification ? `: ${justification}` : '.'}`,
  ]
  return {
    uuid: uuidOf(id, 'finding'),
    title: line(`${key} ${title}`),
    description: prose(why.filter(Boolean).join('\n\n')),
    props: [property('label', key), property('result', result)],
    target: {
      type: 'objective-id',
      'target-id': controlId,
      title: line(title),
      status: { state: isMet ? 'satisfied' : 'not-satisfied', reason: isMet ? 'pass' : 'fail' },
    },
    ...some(
      'related-observations',
      (standing?.evidence ?? []).map((one) => ({ 'observation-uuid': uuidOf(one) })),
    ),
  }
}
