import { memo } from 'react'
import { hasAnnex } from '../../../model/management-clause.ts'
import type { Output } from '../../client/calls.ts'
import { kindIndex } from '../../client/kinds.ts'
import { recordAddress } from '../../client/list-address.ts'
import { useBatches } from '../../client/use-batches.ts'
import { AppLink } from '../../components/app-link.tsx'
import { ColourMark } from '../../components/colour-mark.tsx'
import { frameworks } from '../../copy/frameworks.ts'
import { valueWord } from '../../copy/records.ts'
import styles from './statement.module.css'

const words = frameworks.statement
const COLUMNS = Object.entries(words.columns)

/** Controls of an annex are called controls. */
const titleOf = (name: string, label: string, isOfControls: boolean) =>
  name === 'title' && isOfControls ? words.control : label

type Row = Output<'getStatementOfApplicability'>['rows'][number]

/** Colours of the answers, as those of results. */
const COLOURS = { yes: 'teal', partly: 'yellow', no: 'red' } as const

/** Drawn at once, so that what is on the screen does not wait for what is below it. */
const AT_ONCE = 60

/** A row for each requirement, under the headings that they are printed under. */
export function StatementTable({ rows }: { rows: readonly Row[] }) {
  const drawn = useBatches(rows.length, AT_ONCE)
  if (rows.length === 0) return <p>{words.none}</p>
  const isOfControls = hasAnnex(rows.map(({ key }) => key))
  return (
    <div className={styles.around}>
      <table className={styles.table} aria-label={words.title} aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {COLUMNS.map(([name, label]) => (
              <th key={name} scope="col" className={styles[name]}>
                {titleOf(name, label, isOfControls)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows
            .slice(0, drawn)
            .map((row) =>
              row.assessable ? <Answer key={row.id} row={row} /> : <Head key={row.id} row={row} />,
            )}
        </tbody>
      </table>
    </div>
  )
}

const Head = memo(function Head({ row: { key, title, depth } }: { row: Row }) {
  return (
    <tr className={styles.family} data-depth={depth}>
      <th colSpan={COLUMNS.length} scope="colgroup">
        {key} {title}
      </th>
    </tr>
  )
})

const Answer = memo(function Answer({ row }: { row: Row }) {
  const { id, key, title, applicability, inclusionReasons, justification, implemented } = row
  const isOut = applicability === 'not_applicable'
  return (
    <tr data-out={isOut || undefined}>
      <th scope="row" className={styles.key}>
        {key}
      </th>
      <td>
        <AppLink href={recordAddress(kindIndex.requirement, id)}>{title}</AppLink>
      </td>
      <td>{words.applies[applicability] ?? valueWord(applicability)}</td>
      <td>
        {inclusionReasons && inclusionReasons.length > 0 && (
          <div>{inclusionReasons.map((one) => valueWord(one)).join(', ')}</div>
        )}
        {justification ?? (isOut && <em>{words.noReason}</em>)}
      </td>
      <td>
        {implemented && (
          <ColourMark colour={COLOURS[implemented]}>{words.implemented[implemented]}</ColourMark>
        )}
      </td>
      <td>
        {row.controls.map((control) => (
          <ControlLine key={control.id} control={control} />
        ))}
        {row.through?.map((one) => (
          <Through key={one.id} through={one} />
        ))}
      </td>
      <td>{row.evidence?.join(', ')}</td>
      <td>{row.owner}</td>
    </tr>
  )
})

function ControlLine({
  control: { id, code, title, implementationStatus },
}: {
  control: Row['controls'][number]
}) {
  return (
    <div>
      <AppLink href={recordAddress(kindIndex.control, id)}>{code}</AppLink> {title}{' '}
      <span className={styles.given}>{valueWord(implementationStatus)}</span>
    </div>
  )
}

/** What a mapped requirement of another framework brings. */
function Through({
  through: { id, key, framework, coversWhole, resultPinned, controls },
}: {
  through: NonNullable<Row['through']>[number]
}) {
  return (
    <div>
      {controls.map((control) => (
        <ControlLine key={control.id} control={control} />
      ))}
      {resultPinned && words.givenThere}{' '}
      <AppLink href={recordAddress(kindIndex.requirement, id)} className={styles.given}>
        {words.through(framework, key, !coversWhole)}
      </AppLink>
    </div>
  )
}
