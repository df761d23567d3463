import type { ReactElement } from 'react'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { ownerOf } from '../../../model/roles.ts'
import type { Field } from '../../client/fields.ts'
import { isFixed } from '../../client/fields.ts'
import { Picker, people, principalOf, sourceOf } from '../../components/picker.tsx'
import { records } from '../../copy/records.ts'

/** Somebody, or another record: searched for beside the value; what is chosen is sent at once. */
export function PickEditor({
  kind,
  field,
  opened,
  choose,
  close,
  children,
}: {
  kind: DescribedKind
  field: Field
  opened: boolean
  choose: (value: unknown) => void
  close: () => void
  children: ReactElement
}) {
  if (!opened) return children
  const isFree = !isFixed(kind, field.name)
  const nobody = field.name === ownerOf(kind) ? records.owner.nobody : records.nobody
  if (field.form === 'principal')
    return (
      <Picker
        source={people(field)}
        help={field.description}
        nothing={isFree ? nobody : undefined}
        placeholder={records.owner.search}
        choose={(found) => choose(found && principalOf(found))}
        close={close}
      >
        {children}
      </Picker>
    )
  return (
    <Picker
      source={sourceOf(field.target!)}
      help={field.description}
      nothing={isFree ? records.noValue : undefined}
      choose={(found) => choose(found?.id ?? null)}
      close={close}
    >
      {children}
    </Picker>
  )
}
