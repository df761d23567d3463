import { Button, Text } from '@mantine/core'
import { memo, useState } from 'react'
import { readCell } from '../../../model/markdown.ts'
import document from '../../components/markdown.module.css'
import { Line } from '../../components/markdown.tsx'
import { compared as words } from '../../copy/compared.ts'
import { isHead, type Part } from './folded.ts'
import { Marked, OfVersion } from './marked.tsx'
import styles from './policies.module.css'
import type { ReadCell, ReadRow } from './tables-as-read.ts'

/** A table with what changed in it: what is unchanged between two changes is folded there too. */
export function ComparedTable({ parts }: { parts: readonly Part[] }) {
  const head = parts.find(({ some: [first] }) => isHead(first!))
  return (
    <div className={document.table}>
      <table>
        {head && (
          <thead>
            <Row row={head.some[0] as ReadRow} />
          </thead>
        )}
        <tbody>
          {parts.map((part) =>
            part === head ? null : <Rows key={part.at} some={part.some as readonly ReadRow[]} />,
          )}
        </tbody>
      </table>
    </div>
  )
}

/** So many rows that are the same are shown as they stand. */
const SHOWN = 3

const Rows = memo(function Rows({ some }: { some: readonly ReadRow[] }) {
  const [isOpen, setIsOpen] = useState(some.length <= SHOWN)
  if (isOpen)
    return some.map((row, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: rows have no names
      <Row key={at} row={row} />
    ))
  return (
    <>
      <Row row={some[0]!} />
      <tr>
        <td colSpan={some[0]!.table.columns.length} className={styles.fold}>
          <Button variant="subtle" size="compact-xs" onClick={() => setIsOpen(true)}>
            {words.unchangedRows(some.length - 2)}
          </Button>
        </td>
      </tr>
      <Row row={some.at(-1)!} />
    </>
  )
})

export const NOTES = {
  moved_here: words.movedHere,
  moved_away: words.movedAway,
  reformatted: words.reformatted,
}

const Row = memo(function Row({ row: { type, table, isHead, cells } }: { row: ReadRow }) {
  const note = type === 'moved_here' || type === 'moved_away' || type === 'reformatted' ? NOTES[type] : null
  const Cell = isHead ? 'th' : 'td'
  return (
    <tr className={note ? styles.movedRow : undefined} data-type={type}>
      {table.columns.map((column, at) => {
        const cell = cells[at] ?? { type: column, text: '' }
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: cells have no names
          <Cell key={at} scope={isHead ? 'col' : undefined} className={MARKS[cell.type]}>
            {note && at === 0 && (
              <Text size="xs" fw={600}>
                {note}
              </Text>
            )}
            <OfVersion isGone={cell.type === 'removed' || type === 'moved_away'}>
              <Said cell={cell} />
            </OfVersion>
          </Cell>
        )
      })}
    </tr>
  )
})

const MARKS = { same: undefined, changed: undefined, added: styles.come, removed: styles.gone }

function Said({ cell }: { cell: ReadCell }) {
  if (cell.type === 'changed') return <Marked words={cell.words} />
  if (cell.text === '') return null
  const line = <Line inline={readCell(cell.text)} />
  return cell.type === 'added' ? <ins>{line}</ins> : cell.type === 'removed' ? <del>{line}</del> : line
}
