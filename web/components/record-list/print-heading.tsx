import { Text } from '@mantine/core'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { fieldsOf } from '../../client/fields.ts'
import { lower, registerWords } from '../../copy/records.ts'
import { register } from '../../copy/register.ts'
import { momentWord } from '../moment.tsx'
import { usePrinting } from '../use-printing.ts'
import type { View } from './view.ts'

const words = register.print

/** What a printed list is of, and of when; its filters stand below it as on the screen. */
export function PrintHeading({
  kind,
  view: { q, sort, group },
  rows,
  total = rows,
}: {
  kind: DescribedKind
  view: View
  rows: number
  total: number | undefined
}) {
  const isPrinting = usePrinting()
  if (!isPrinting) return null
  const fields = fieldsOf(kind)
  const titleOf = (name: string) => fields.get(name.replace('-', ''))!.title
  const told = [
    words.rows(rows, total, registerWords(kind).many),
    words.sorted(titleOf(sort)),
    ...(group ? [lower(register.group.chosen(titleOf(group)))] : []),
    ...(q ? [words.search(q)] : []),
  ]
  return (
    <Text size="sm">
      {told.join(', ')}. {words.at(momentWord(new Date().toISOString()))}.
    </Text>
  )
}
