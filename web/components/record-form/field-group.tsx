import { Fieldset, Input, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Field } from '../../client/fields.ts'
import { FIELD } from '../unreadable-input.ts'

/** A field of several inputs, under one legend; what is wrong with it as a whole stands above them. */
export function FieldGroup({
  field,
  description,
  error,
  required = false,
  children,
}: {
  field: Field
  description?: string | undefined
  error?: string | undefined
  required?: boolean
  children: ReactNode
}) {
  return (
    <Fieldset
      legend={
        <>
          {field.title}
          {required && (
            <Text span c="var(--mantine-color-error)" aria-hidden>
              {' *'}
            </Text>
          )}
        </>
      }
      variant="unstyled"
      tabIndex={-1}
      data-error={error ? true : undefined}
      {...{ [FIELD]: field.name }}
    >
      {description && (
        <Text size="xs" c="dimmed" mb={6}>
          {description}
        </Text>
      )}
      {error && <Input.Error mb={6}>{error}</Input.Error>}
      {children}
    </Fieldset>
  )
}
