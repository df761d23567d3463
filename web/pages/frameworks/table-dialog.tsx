import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Input } from '../../client/calls.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { frameworks } from '../../copy/frameworks.ts'

const words = frameworks.importing.table
const FIELDS = ['key', 'edition', 'name'] as const

export type SaidOfTable = Pick<
  Input<'startFrameworkImport'>,
  'framework' | 'hierarchy' | 'columns' | 'headRow'
>

/** Asks what a table does not say: which framework it is, and how its rows stand to each other. */
export function TableDialog({
  file,
  read,
  close,
}: {
  file: File
  read: (said: SaidOfTable) => Promise<unknown>
  close: () => void
}) {
  const [given, setGiven] = useState({ key: '', edition: '', name: '' })
  const [hierarchy, setHierarchy] = useState('')
  const of = useSubmission({
    given,
    fields: FIELDS,
    isMissing: (field) => given[field as keyof typeof given].trim() === '',
    send: (framework) =>
      read({
        framework: framework as SaidOfTable['framework'],
        ...(hierarchy === '' ? {} : { hierarchy: hierarchy as NonNullable<SaidOfTable['hierarchy']> }),
      }),
  })
  return (
    <FormDialog words={{ ...words, text: words.text(file.name) }} of={of} close={close}>
      {FIELDS.map((field) => (
        <TextInput
          key={field}
          label={words[field]}
          {...(field === 'key' ? { description: words.keyText } : {})}
          required
          value={given[field]}
          error={of.wrong[field]}
          onChange={({ currentTarget: { value } }) => {
            of.mend(field)
            setGiven((before) => ({ ...before, [field]: value }))
          }}
        />
      ))}
      <NativeSelect
        label={words.hierarchy}
        value={hierarchy}
        data={Object.entries(words.hierarchies).map(([value, label]) => ({ value, label }))}
        onChange={({ currentTarget: { value } }) => setHierarchy(value)}
      />
    </FormDialog>
  )
}
