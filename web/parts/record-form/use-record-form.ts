import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Kind, Values } from '../../../kinds/kind.ts'
import { Problem } from '../../client/problem.ts'
import { problems } from '../../words/problems.ts'

/**
 * A form over fields of a kind. What was typed stays whatever the service answers; what the service says of a
 * field stands at that field, and the first of them is gone to.
 *
 * @param fields those that it shows
 * @param send what was changed; throws a Problem, or it is done
 */
export function useRecordForm({
  kind,
  fields,
  initial,
  send,
}: {
  kind: Kind
  fields: readonly string[]
  initial: Values
  send: (changed: Values) => Promise<unknown>
}) {
  const [changed, setChanged] = useState<Values>({})
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const form = useRef<HTMLFormElement>(null)
  const sending = useMutation({
    mutationFn: send,
    onError: (error) => setWrong(error instanceof Problem ? wrongFields(error, fields) : {}),
  })

  useEffect(() => {
    if (Object.keys(wrong).length === 0) return
    form.current?.querySelector<HTMLElement>('[aria-invalid=true], [data-error]')?.focus()
  }, [wrong])

  const given = (name: string) => (name in changed ? changed[name] : (initial[name] ?? null))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (sending.isPending) return
    const empty = fields.filter((name) => kind.required.includes(name) && isEmpty(given(name)))
    setWrong(Object.fromEntries(empty.map((name) => [name, problems.required])))
    if (empty.length === 0) sending.mutate(changed)
    else sending.reset()
  }

  return {
    changed,
    isDirty: Object.keys(changed).length > 0,
    isSending: sending.isPending,
    wrong,
    /** What no field can show. */
    problem: sending.error && !isToldAtFields(sending.error, fields) ? sending.error : null,
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
    field: (name: string) => ({
      value: given(name),
      error: wrong[name],
      required: kind.required.includes(name),
      fixed: kind.required.includes(name) || name in kind.defaults,
      change: (value: unknown) => {
        setChanged((all) => withValue(all, name, value, initial[name] ?? null))
        setWrong(({ [name]: _mended, ...others }) => others)
      },
    }),
  }
}

const isEmpty = (value: unknown): boolean => value === null || (typeof value === 'string' && !value.trim())

function withValue(changed: Values, name: string, value: unknown, initial: unknown): Values {
  const { [name]: _before, ...others } = changed
  return value === initial ? others : { ...others, [name]: value }
}

/** `owner.refId` is told at `owner`. */
const fieldOf = (path: string) => path.split('.')[0]!

function wrongFields({ errors }: Problem, fields: readonly string[]): Readonly<Record<string, string>> {
  const told = errors.filter(({ path }) => fields.includes(fieldOf(path)))
  return Object.fromEntries(
    told.map(({ path, message }) => {
      const rest = path.slice(fieldOf(path).length + 1)
      return [fieldOf(path), rest ? `${rest}: ${message}` : message]
    }),
  )
}

const isToldAtFields = (error: unknown, fields: readonly string[]): boolean =>
  error instanceof Problem &&
  error.errors.length > 0 &&
  error.errors.every(({ path }) => fields.includes(fieldOf(path)))
