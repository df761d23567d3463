import { useBlocker } from '@tanstack/react-router'
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Field } from '../../client/fields.ts'
import { isSame } from '../../client/records.ts'
import { DangerDialog } from '../../components/danger-dialog.tsx'
import { FieldInput } from '../../components/record-form/field-input.tsx'
import { unreadableIn } from '../../components/unreadable-input.ts'
import { problems } from '../../copy/problems.ts'
import { record as words } from '../../copy/record.ts'
import { EditorFoot } from './editor-foot.tsx'
import styles from './record.module.css'

/**
 * A field that is typed, in its place. Enter saves a line, Ctrl-Enter anything, Escape leaves it as it was;
 * nobody goes away from something typed without being asked.
 */
export function FactEditor({
  field,
  initial,
  saved,
  isFixed,
  error,
  takesFocus,
  moved,
  save,
  close,
}: {
  field: Field
  initial: unknown
  saved: unknown
  isFixed: boolean
  error?: string | undefined
  takesFocus: boolean
  /** What others made of it meanwhile. */
  moved: ReactNode
  save: (value: unknown) => void
  close: () => void
}) {
  const [value, setValue] = useState(initial ?? null)
  const [wrong, setWrong] = useState(error)
  const form = useRef<HTMLFormElement>(null)
  const isChanged = !isSame(value, saved)
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  })
  useEffect(() => {
    if (!takesFocus) return
    const input = form.current?.querySelector<HTMLInputElement>('input, textarea')
    input?.focus()
    if (input?.type === 'text' || input?.type === 'textarea')
      input.setSelectionRange(input.value.length, input.value.length)
  }, [takesFocus])

  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    const [unreadable] = unreadableIn(form.current)
    if (unreadable) return setWrong(unreadable.message)
    if (!isChanged) return close()
    if (isFixed && value === null) return setWrong(problems.required)
    save(value)
  }
  return (
    <form
      ref={form}
      noValidate
      className={styles.editor}
      data-labelled={field.form === 'object' || field.form === 'objects' || undefined}
      onSubmit={submit}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Escape') close()
        else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
        else return
        event.stopPropagation()
      }}
    >
      {moved}
      <div role={wrong ? 'alert' : undefined}>
        <FieldInput
          field={field}
          value={value}
          error={wrong}
          required={isFixed}
          change={(typed) => {
            setValue(typed ?? null)
            setWrong(undefined)
          }}
        />
      </div>
      <EditorFoot close={close} />
      {blocker.status === 'blocked' && (
        <DangerDialog
          title={words.unsaved.title}
          text={words.unsaved.text}
          verb={words.unsaved.leave}
          act={async () => blocker.proceed()}
          close={() => blocker.reset?.()}
        />
      )}
    </form>
  )
}
