import { Badge } from '@mantine/core'
import type { LevelColour } from '../../../model/risk-matrix.ts'
import { stateField } from '../../../model/roles.ts'
import { today } from '../../client/formats.ts'
import { kindIndex } from '../../client/kinds.ts'
import { useKind } from '../../client/use-kind.ts'
import { ColourMark } from '../../components/colour-mark.tsx'
import { Day } from '../../components/day.tsx'
import { Timed } from '../../components/moment.tsx'
import { NamedRecordLink } from '../../components/named-record-link.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { frameworks } from '../../copy/frameworks.ts'
import { lower, valueWord } from '../../copy/records.ts'
import styles from './coverage.module.css'
import type { Coverage } from './coverage-answer.ts'

const words = frameworks.coverage

type Support = Coverage['support'][number]
type Proof = NonNullable<Support['evidence']>[number]

const COLOURS: Readonly<Record<string, LevelColour>> = {
  missing: 'red',
  begun: 'yellow',
  unproven: 'orange',
  proven: 'teal',
}

/** What a result follows from: each control, what proves it, and how old that is. */
export function Chain({ coverage: { support, weakest } }: { coverage: Coverage }) {
  const isWeakest = ({ control, through }: Support) =>
    weakest !== null && weakest.control?.id === control?.id && weakest.through?.id === through?.id
  return (
    <ul className={styles.chain} aria-label={words.chain}>
      {support.map((one) => (
        <li key={`${one.control?.id} ${one.through?.id}`} data-weakest={isWeakest(one) || undefined}>
          <Standing support={one} isWeakest={isWeakest(one)} />
          {one.control && <Proofs evidence={one.evidence} />}
        </li>
      ))}
    </ul>
  )
}

function Standing({
  support: { control, grade, through, coversWhole },
  isWeakest,
}: {
  support: Support
  isWeakest: boolean
}) {
  const kind = useKind(kindIndex.control)
  return (
    <div>
      <div className={styles.facts}>
        <ColourMark colour={COLOURS[grade]}>{words.grades[grade]}</ColourMark>
        {isWeakest && (
          <Badge size="sm" variant="default">
            {words.weakest}
          </Badge>
        )}
      </div>
      {control ? (
        <>
          <NamedRecordLink
            kind={kindIndex.control}
            id={control.id}
            reference={control.code}
            name={control.title}
          />
          <div className={styles.facts}>
            <StateMark kind={kind} field={stateField(kind)!} state={control.implementationStatus} />
          </div>
        </>
      ) : (
        words.pinnedThere
      )}
      {through && (
        <div className={styles.through}>
          {words.through} {through.framework}{' '}
          <NamedRecordLink
            kind={kindIndex.requirement}
            id={through.id}
            reference={through.key}
            name={through.title}
          />{' '}
          ({words.relationship(lower(valueWord(through.relationship)), !coversWhole)})
        </div>
      )}
    </div>
  )
}

function Proofs({ evidence }: { evidence: Support['evidence'] }) {
  if (evidence === null) return <span className={styles.none}>{words.hiddenEvidence}</span>
  if (evidence.length === 0) return <span className={styles.none}>{words.noEvidence}</span>
  return (
    <ul>
      {evidence.map((one) => (
        <li key={one.id}>
          <ProofLine proof={one} />
        </li>
      ))}
    </ul>
  )
}

function ProofLine({
  proof: { id, reference, title, status, coverage, collectedAt, ageDays, expiryDate },
}: {
  proof: Proof
}) {
  const kind = useKind(kindIndex.evidence)
  const age = ageDays === null ? null : words.age(ageDays)
  const isOver = expiryDate !== null && expiryDate < today()
  return (
    <>
      <NamedRecordLink kind={kindIndex.evidence} id={id} reference={reference} name={title} />
      <div className={styles.facts}>
        <StateMark kind={kind} field={stateField(kind)!} state={status} />
        {coverage === 'partial' && <span>{words.partial}</span>}
        {age !== null && (collectedAt ? <Timed at={collectedAt}>{age}</Timed> : <span>{age}</span>)}
        {expiryDate !== null && (
          <span className={isOver ? styles.over : undefined}>
            {isOver ? words.expired : words.expires} <Day on={expiryDate} />
          </span>
        )}
      </div>
    </>
  )
}
