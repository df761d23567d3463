import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Problem } from '../client/problem.ts'
import { problems } from '../words/problems.ts'

type Values = Record<string, string>

/**
 * A form: what is typed stays typed whatever the service answers, and what the service says of a field stands
 * at that field. Ctrl-Enter sends from anywhere in it.
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
  const [wrong, setWrong] = useState<Partial<Values>>({})
  const form = useRef<HTMLFormElement>(null)
  const sending = useMutation({
    mutationFn: send,
    onError: (error) => setWrong(error instanceof Problem ? wrongFields(error, typed) : {}),
  })

  useEffect(() => {
    if (Object.keys(wrong).length === 0) return
    form.current?.querySelector<HTMLInputElement>('[aria-invalid=true]')?.focus()
  }, [wrong])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (sending.isPending) return
    const empty = Object.keys(typed).filter((name) => !optional.includes(name) && !typed[name]!.trim())
    setWrong(Object.fromEntries(empty.map((name) => [name, problems.required])))
    if (empty.length === 0) sending.mutate(typed)
    else sending.reset()
  }

  const set = (name: keyof Typed & string, value: string) => {
    setTyped((all) => ({ ...all, [name]: value }))
    setWrong(({ [name]: _mended, ...others }) => others)
  }

  return {
    typed,
    set,
    isSending: sending.isPending,
    /** What no field can show. */
    problem: sending.error && !isToldAtFields(sending.error, typed) ? sending.error : null,
    /** For the form element. */
    form: {
      ref: form,
      noValidate: true,
      onSubmit: submit,
      onKeyDown: (event: KeyboardEvent<HTMLFormElement>) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        event.currentTarget.requestSubmit()
      },
    },
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

const wrongFields = ({ errors }: Problem, typed: Values): Partial<Values> =>
  Object.fromEntries(
    errors.filter(({ path }) => fieldOf(path) in typed).map(({ path, message }) => [fieldOf(path), message]),
  )

const isToldAtFields = (error: unknown, typed: Values): boolean =>
  error instanceof Problem &&
  error.errors.length > 0 &&
  error.errors.every(({ path }) => fieldOf(path) in typed)

/** One of several values (`domains.0`) is told at the field that has them all. */
const fieldOf = (path: string): string => path.replace(/\.\d+$/, '')
