import { useState } from 'react'
import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { askedBy } from '../../client/states.ts'
import { useSubmission } from '../use-submission.ts'

/**
 * A form over fields of a kind.
 *
 * @param fields those that it shows
 * @param send what was changed; throws a Problem, or it is done
 */
export function useRecordForm({
  kind,
  fields,
  initial,
  isNeeded,
  send,
}: {
  kind: DescribedKind
  fields: readonly string[]
  initial: Values
  /** Whether it cannot be sent without a value of the field; else what the kind and its state ask for. */
  isNeeded?: (name: string) => boolean
  send: (changed: Values) => Promise<unknown>
}) {
  const [changed, setChanged] = useState<Values>({})
  const asked = (name: string) => askedBy(kind, { ...initial, ...changed }, name)
  const isRequired = (name: string) =>
    kind.required.includes(name) || kind.states.some(({ field }) => asked(field).includes(name))
  const given = (name: string) => (name in changed ? changed[name] : (initial[name] ?? null))
  const { mend, ...submission } = useSubmission({
    given: changed,
    fields,
    isMissing: (name) => (isNeeded ?? isRequired)(name) && isEmpty(given(name)),
    send,
  })
  return {
    ...submission,
    changed,
    asked,
    isDirty: Object.keys(changed).length > 0,
    field: (name: string) => ({
      value: given(name),
      error: submission.wrong[name],
      required: isRequired(name),
      fixed: kind.required.includes(name) || name in kind.defaults,
      change: (value: unknown) => {
        setChanged((all) => withValue(all, name, value, initial[name] ?? null))
        mend(name)
      },
    }),
  }
}

const isEmpty = (value: unknown): boolean => value === null || (typeof value === 'string' && !value.trim())

function withValue(changed: Values, name: string, value: unknown, initial: unknown): Values {
  const { [name]: _before, ...others } = changed
  return value === initial ? others : { ...others, [name]: value }
}
