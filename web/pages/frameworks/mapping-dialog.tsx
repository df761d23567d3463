import { Text } from '@mantine/core'
import { useState } from 'react'
import { callsOf } from '../../../model/calls.ts'
import type { Values } from '../../../model/complaint.ts'
import type { CallName } from '../../client/calls.ts'
import type { Field } from '../../client/fields.ts'
import { kindIndex } from '../../client/kinds.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { FieldInput } from '../../components/record-form/field-input.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { frameworks } from '../../copy/frameworks.ts'
import { type Mapping, turned } from './mappings.ts'

const words = frameworks.mappings.dialog

/** What a person says of a mapping; whose word it is follows: it is the organization's own. */
const SAID = ['relationship', 'note', 'rationale', 'strength', 'confidence', 'reviewedBy'] as const

/** A requirement of each framework, and the mapping between them where there is one. */
export interface Pair {
  readonly one: { readonly id: string; readonly key: string; readonly title: string }
  readonly other: { readonly id: string; readonly key: string; readonly title: string }
  readonly mapping: Mapping | null
  readonly isBackwards: boolean
}

/** Says how one requirement stands to another, of two frameworks. */
export function MappingDialog({
  pair: { one, other, mapping, isBackwards },
  fields,
  done,
  close,
}: {
  pair: Pair
  fields: readonly Field[]
  done: () => Promise<unknown>
  close: () => void
}) {
  const guarded = useGuardedCall()
  const [given, setGiven] = useState<Values>(() => {
    const stands =
      mapping && Object.fromEntries(SAID.map((name) => [name, (mapping as Values)[name] ?? null]))
    const relationship = isBackwards ? turned(mapping!.relationship) : mapping?.relationship
    return { ...stands, relationship: relationship ?? null }
  })
  const of = useSubmission({
    given,
    fields: SAID,
    isMissing: (field) => field === 'relationship' && given.relationship === null,
    send: async (said) => {
      const relationship = String(said.relationship)
      const [id, targetId] = isBackwards ? [other.id, one.id] : [one.id, other.id]
      const ends = { id, targetKind: 'mapping_target', targetId, origin: 'own' }
      const sent = { ...said, ...ends, relationship: isBackwards ? turned(relationship) : relationship }
      await guarded(callsOf(kindIndex.requirement).link as CallName, sent as never)
      await done()
      close()
    },
  })
  const text = words.text(one, other)
  return (
    <FormDialog words={{ ...words, title: mapping ? words.change : words.add, text }} of={of} close={close}>
      {SAID.flatMap((name) => fields.find((field) => field.name === name) ?? []).map((field, index) => (
        <FieldInput
          key={field.name}
          field={field}
          value={given[field.name] ?? null}
          change={(value) => {
            setGiven((all) => ({ ...all, [field.name]: value }))
            of.mend(field.name)
          }}
          error={of.wrong[field.name]}
          required={field.name === 'relationship'}
          autoFocus={index === 0}
        />
      ))}
      {mapping && mapping.origin !== 'own' && (
        <Text size="sm" c="dimmed">
          {words.becomesOwn}
        </Text>
      )}
    </FormDialog>
  )
}
