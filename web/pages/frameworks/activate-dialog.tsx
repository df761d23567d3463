import { useQueries } from '@tanstack/react-query'
import { kindIndex } from '../../client/kinds.ts'
import { recordQuery } from '../../client/records.ts'
import { frameworks } from '../../copy/frameworks.ts'
import type { DialogProps } from '../record/dialog-props.ts'
import { OperationDialog } from '../record/operation-dialog.tsx'

interface Level {
  readonly key: string
  readonly title: string
}

/** Activates a framework: its levels stand there to be chosen, each with how much it asks. */
export function ActivateDialog({ operation, record, ...rest }: DialogProps) {
  const levels = (record.levels ?? []) as readonly Level[]
  const counts = useQueries({
    queries: levels.map(({ key }) =>
      recordQuery(kindIndex.requirement, 'summarize', {
        frameworkId: [record.id],
        implementationGroups: [key],
        assessable: [true],
        counted: ['total'],
      }),
    ),
  })
  const labels = Object.fromEntries(
    levels.map(({ key, title }, at) => [key, frameworks.level(title, counts[at]!.data?.total)]),
  )
  const fields = operation.fields.flatMap((field) => {
    if (field.name !== 'implementationGroup') return field
    const options = levels.map(({ key }) => key)
    return levels.length > 0 ? { ...field, form: 'choice' as const, options, labels } : []
  })
  const description = frameworks.activation(levels.length > 0)
  return <OperationDialog {...rest} operation={{ ...operation, fields, description }} record={record} />
}
