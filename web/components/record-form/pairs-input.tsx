import { ActionIcon, Button, Stack, Textarea, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { Values } from '../../../model/complaint.ts'
import type { Field } from '../../client/fields.ts'
import { customFields as words } from '../../copy/custom-fields.ts'
import { FieldGroup } from './field-group.tsx'
import styles from './pairs-input.module.css'

interface Pair {
  readonly key: number
  readonly name: string
  readonly typed: string
  /** What it was before anything was typed; undefined of a new one. */
  readonly was: unknown
}

/**
 * Names with values of any form, to add, change and remove. What is new is text; what was a number, yes or no stays
 * one as long as it reads as such, and lists and objects are written as JSON.
 */
export function PairsInput({
  field,
  value,
  change,
  error,
  required = false,
}: {
  field: Field
  value: unknown
  change: (value: Values | null) => void
  error?: string | undefined
  required?: boolean
}) {
  const next = useRef(0)
  const pair = (name = '', was?: unknown): Pair => ({ key: next.current++, name, typed: textOf(was), was })
  const [pairs, setPairs] = useState(() => {
    const given = Object.entries((value as Values | null) ?? {}).map(([name, one]) => pair(name, one))
    return given.length > 0 ? given : [pair()]
  })
  const adder = useRef<HTMLButtonElement>(null)
  const [added, setAdded] = useState<number | null>(null)
  const show = (all: readonly Pair[]) => {
    setPairs([...all])
    const named = all.filter(({ name }) => name.trim())
    change(named.length > 0 ? Object.fromEntries(named.map((one) => [one.name.trim(), readAs(one)])) : null)
  }
  const type = (key: number, typed: Partial<Pair>) =>
    show(pairs.map((one) => (one.key === key ? { ...one, ...typed } : one)))
  const add = () => {
    const one = pair()
    setAdded(one.key)
    setPairs([...pairs, one])
  }
  const remove = (key: number) => {
    show(pairs.filter((one) => one.key !== key))
    adder.current?.focus()
  }
  return (
    <FieldGroup field={field} description={words.text} error={error} required={required}>
      <Stack gap={6}>
        {pairs.map(({ key, name, typed, was }, index) => {
          const Value = isLong(textOf(was)) ? Textarea : TextInput
          return (
            <div key={key} className={styles.pair}>
              <TextInput
                size="xs"
                ref={(input) => input?.setCustomValidity(wrongName(pairs, index))}
                value={name}
                placeholder={words.name}
                aria-label={words.nameOf(index + 1)}
                autoFocus={key === added}
                onChange={({ currentTarget }) => type(key, { name: currentTarget.value })}
              />
              <Value
                size="xs"
                ref={(input: HTMLInputElement & HTMLTextAreaElement) =>
                  input?.setCustomValidity(wrongValue({ key, name, typed, was }))
                }
                value={typed}
                placeholder={words.value}
                aria-label={words.valueOf(name.trim(), index + 1)}
                {...(Value === Textarea ? { rows: 3 } : {})}
                onChange={({ currentTarget }: { currentTarget: { value: string } }) =>
                  type(key, { typed: currentTarget.value })
                }
              />
              <ActionIcon aria-label={words.remove(name.trim(), index + 1)} onClick={() => remove(key)}>
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </div>
          )
        })}
      </Stack>
      <Button
        ref={adder}
        variant="default"
        size="compact-xs"
        mt={6}
        leftSection={<IconPlus size={12} aria-hidden />}
        onClick={add}
      >
        {words.add}
      </Button>
    </FieldGroup>
  )
}

const textOf = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

const isLong = (text: string): boolean => text.length > 80 || text.includes('\n')

function readAs({ typed, was }: Pair): unknown {
  if (was === undefined || typeof was === 'string') return typed
  const read = parsed(typed)
  return typeof was === 'object' || ['number', 'boolean'].includes(typeof read) ? read : typed
}

/** Undefined of what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function wrongName(pairs: readonly Pair[], index: number): string {
  const { name, typed } = pairs[index]!
  if (!name.trim()) return typed ? words.nameless : ''
  const isTwice = pairs.slice(0, index).some((one) => one.name.trim() === name.trim())
  return isTwice ? words.twice(name.trim()) : ''
}

function wrongValue({ name, typed, was }: Pair): string {
  if (!name.trim()) return ''
  if (typed === '' && was !== '') return words.empty(name.trim())
  const isRead = typeof was !== 'object' || parsed(typed) !== undefined
  return isRead ? '' : words.noJson(name.trim())
}
