import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { fieldAt } from '../client/custom-values.ts'
import { Problem } from '../client/problem.ts'
import { complaintText, titlesOf } from '../copy/complaint.ts'
import { problems } from '../copy/problems.ts'
import { unreadableIn } from './unreadable-input.ts'

/**
 * What every form does: it is sent, from anywhere in it by Ctrl-Enter, once nothing is missing and all of it can be
 * read; what the service
 * says of a field stands at that field, and the first of them is gone to; and what is typed stays typed whatever
 * the service answers.
 *
 * @param given what is sent
 * @param fields those that it shows
 * @param isMissing whether a field has to be filled in, and is not
 * @param send throws a Problem, or it is done
 */
export function useSubmission<Given>({
  given,
  fields,
  isMissing,
  send,
}: {
  given: Given
  fields: readonly string[]
  isMissing: (field: string) => boolean
  send: (given: Given) => Promise<unknown>
}) {
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const form = useRef<HTMLFormElement>(null)
  const sending = useMutation({
    mutationFn: send,
    onError: (error) => setWrong(error instanceof Problem ? wrongFields(error, fields) : {}),
  })

  useEffect(() => {
    if (Object.keys(wrong).length === 0) return
    const first = (selector: string) => form.current?.querySelector<HTMLElement>(selector)
    ;(first('[aria-invalid=true]') ?? first('[data-error]'))?.focus()
  }, [wrong])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A form in a dialog over another is its child to React, though not in the page.
    event.stopPropagation()
    if (sending.isPending) return
    const missing = fields.filter(isMissing)
    const unreadable = unreadableIn(form.current)
    setWrong({
      ...Object.fromEntries(missing.map((name) => [name, problems.required])),
      ...Object.fromEntries(unreadable.map(({ name, message }) => [name, message])),
    })
    if (missing.length === 0 && unreadable.length === 0) sending.mutate(given)
    else sending.reset()
  }

  return {
    wrong,
    /** What was wrong with a field is forgotten as soon as it is changed. */
    mend: (field: string) => setWrong(({ [field]: _mended, ...others }) => others),
    isSending: sending.isPending,
    /** What no field can show. */
    problem: sending.error && !isToldAtFields(sending.error, fields) ? sending.error : null,
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
  }
}

/** What is wrong with a part of a value (`owner.refId`, `domains.0`) is told at the field that has the whole. */
function wrongFields({ errors }: Problem, fields: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    errors.flatMap(({ path, message }) => {
      const field = fieldAt(path, fields)
      if (field === undefined) return []
      return [[field, complaintText(message, titlesOf(path.slice(field.length + 1)))]]
    }),
  )
}

const isToldAtFields = (error: unknown, fields: readonly string[]): boolean =>
  error instanceof Problem &&
  error.errors.length > 0 &&
  error.errors.every(({ path }) => fieldAt(path, fields) !== undefined)
