import { ActionIcon, Button, Paper, SimpleGrid, Stack } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type ComponentType, useRef, useState } from 'react'
import type { Values } from '../../../model/complaint.ts'
import { partsShown } from '../../../model/described-field.ts'
import type { Field } from '../../client/fields.ts'
import { records } from '../../copy/records.ts'
import { FieldGroup } from './field-group.tsx'
import styles from './objects-input.module.css'

interface Item {
  readonly key: number
  readonly values: Values
}

interface PartProps {
  field: Field
  value: unknown
  required?: boolean
  autoFocus?: boolean
  change: (value: unknown) => void
}

const words = records.form

/**
 * Several of the same make, to add, change and remove, each with an input for every part. What the service set on one (its
 * id) stays with it; one in which nothing is filled in is not sent.
 */
export function ObjectsInput({
  field,
  value,
  change,
  error,
  required = false,
  Part,
}: {
  field: Field
  value: unknown
  change: (value: readonly Values[] | null) => void
  error?: string | undefined
  required?: boolean
  /** The input of one part, which may be of any form. */
  Part: ComponentType<PartProps>
}) {
  const next = useRef(0)
  const item = (values: Values): Item => ({ key: next.current++, values })
  const [items, setItems] = useState(() => ((value as Values[] | null) ?? []).map(item))
  const [added, setAdded] = useState<number | null>(null)
  const adder = useRef<HTMLButtonElement>(null)
  const parts = partsShown(field)
  const show = (all: readonly Item[]) => {
    setItems([...all])
    const filled = all
      .map(({ values }) => values)
      .filter((values) => parts.some(({ name }) => name in values))
    change(filled.length > 0 ? filled : null)
  }
  const type = (key: number, name: string, part: unknown) =>
    show(items.map((one) => (one.key === key ? { key, values: withPart(one.values, name, part) } : one)))
  const add = () => {
    const one = item({})
    setAdded(one.key)
    setItems([...items, one])
  }
  const remove = (key: number) => {
    show(items.filter((one) => one.key !== key))
    adder.current?.focus()
  }
  return (
    <FieldGroup field={field} description={field.description} error={error} required={required}>
      <Stack gap="xs">
        {items.map(({ key, values }, index) => (
          <Paper
            key={key}
            withBorder
            p="xs"
            role="group"
            aria-label={words.item(field.title, index + 1)}
            className={styles.item}
          >
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing="xs" className={styles.parts}>
              {parts.map((part, place) => (
                <Part
                  key={part.name}
                  field={part}
                  value={values[part.name] ?? null}
                  required={part.isNeeded}
                  autoFocus={key === added && place === 0}
                  change={(one) => type(key, part.name, one)}
                />
              ))}
            </SimpleGrid>
            <ActionIcon aria-label={words.removeItem(field.title, index + 1)} onClick={() => remove(key)}>
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Paper>
        ))}
      </Stack>
      <Button
        ref={adder}
        variant="default"
        size="compact-xs"
        mt={items.length > 0 ? 6 : 0}
        leftSection={<IconPlus size={12} aria-hidden />}
        aria-label={words.addItemTo(field.title)}
        onClick={add}
      >
        {words.addItem}
      </Button>
    </FieldGroup>
  )
}

/** A part that is empty, or a box that is not ticked, is left out. */
function withPart(values: Values, name: string, part: unknown): Values {
  const { [name]: _before, ...others } = values
  return part === null || part === false ? others : { ...others, [name]: part }
}
