import { valueWord } from '../../../model/value-word.ts'
import {
  controlIds,
  type Exported,
  frameworkResource,
  frameworkUuid,
  line,
  metadata,
  property,
  prose,
  some,
  uuidOf,
} from './oscal-terms.ts'

/** A control of the organization, as it stands for requirements of a framework. */
export interface ExportedControl {
  readonly id: string
  readonly reference: string
  readonly code: string
  readonly title: string
  readonly description: string | null
  readonly category: string | null
  readonly implementationStatus: string
  readonly statusReason: string | null
}

export interface ExportedRequirement {
  readonly id: string
  readonly key: string
  readonly sourceId: string | null
  readonly title: string
  readonly applicability: string
  readonly justification: string | null
  readonly result: string
  readonly resultReason: string | null
}

/** What controls are, in OSCAL's words. */
const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    policy: 'policy',
    process: 'process-procedure',
    procedure: 'process-procedure',
    people: 'process-procedure',
    technical: 'service',
    physical: 'physical',
  }),
)

export const componentType = (category: string | null): string =>
  TYPES.get(category ?? '') ?? 'process-procedure'

/** In the words of OSCAL's own list, for what reads documents of many. */
const STATES: Readonly<Record<string, string>> = {
  not_started: 'planned',
  in_progress: 'partial',
  partially_implemented: 'partial',
  implemented: 'implemented',
  not_applicable: 'not-applicable',
}

/**
 * The controls that stand for requirements of a framework as components, each with the requirements that it implements.
 * @param implemented ids of requirements, by the control that is linked with them
 */
export function componentDefinition(
  exported: Exported,
  requirements: readonly ExportedRequirement[],
  controls: readonly ExportedControl[],
  implemented: ReadonlyMap<string, readonly string[]>,
) {
  const { framework } = exported
  const ids = controlIds(requirements, framework.sourceFormat === 'oscal')
  const byId = new Map(requirements.map((one) => [one.id, one]))
  const name = `${framework.name} ${framework.edition}`
  return {
    'component-definition': {
      uuid: uuidOf(framework.id, 'component-definition'),
      metadata: metadata(`Controls for ${name}`, exported),
      ...some(
        'components',
        controls.map((control) => ({
          uuid: uuidOf(control.id),
          type: componentType(control.category),
          title: line(`${control.code} ${control.title}`),
          description: prose(control.description ?? control.title),
          props: [property('reference', control.reference), property('code', control.code)],
          ...(control.statusReason && {
            remarks: prose(`${valueWord(control.implementationStatus)}: ${control.statusReason}`),
          }),
          links: [{ href: `${exported.publicUrl}/controls/${control.id}`, rel: 'reference' }],
          ...some('control-implementations', [
            {
              uuid: uuidOf(control.id, framework.id),
              source: `#${frameworkUuid(framework)}`,
              description: line(`What ${control.code} does for ${name}`),
              'implemented-requirements': (implemented.get(control.id) ?? []).map((id) =>
                implementedRequirement(control, byId.get(id)!, ids.get(id)!),
              ),
            },
          ]),
        })),
      ),
      'back-matter': { resources: [frameworkResource(exported)] },
    },
  }
}

/** What the control is stands once, with the component: a control may stand for hundreds. */
function implementedRequirement(
  { id: controlId, title: called, implementationStatus: status }: ExportedControl,
  { id, key, title }: ExportedRequirement,
  identifier: string,
) {
  return {
    uuid: uuidOf(controlId, id),
    'control-id': identifier,
    description: line(`${called}: ${valueWord(status).toLowerCase()}`),
    props: [
      property('label', key),
      ...(STATES[status] ? [property('implementation-status', STATES[status])] : []),
    ],
    remarks: line(title),
  }
}
