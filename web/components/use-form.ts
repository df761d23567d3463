import { type ChangeEvent, useState } from 'react'
import { useSubmission } from './use-submission.ts'

type Values = Record<string, string>

/**
 * A form of texts.
 *
 * @param optional fields that may stay empty
 * @param send throws a Problem, or it is done
 */
export function useForm<Typed extends Values>({
  initial,
  optional = [],
  send,
}: {
  initial: Typed
  optional?: readonly (keyof Typed)[]
  send: (typed: Typed) => Promise<unknown>
}) {
  const [typed, setTyped] = useState(initial)
  const { wrong, mend, ...submission } = useSubmission({
    given: typed,
    fields: Object.keys(initial),
    isMissing: (name) => !optional.includes(name) && !typed[name]!.trim(),
    send,
  })
  const set = (name: keyof Typed & string, value: string) => {
    setTyped((all) => ({ ...all, [name]: value }))
    mend(name)
  }
  return {
    ...submission,
    typed,
    set,
    /** For the input of a field. */
    field: (name: keyof Typed & string) => ({
      name,
      value: typed[name]!,
      error: wrong[name],
      required: !optional.includes(name),
      onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
        set(name, value),
    }),
  }
}
