import { Badge } from '@mantine/core'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { givenBy, pairWords, ratedAs, type Stage, stagesOf } from '../../client/ratings.ts'
import type { AnyRecord } from '../../client/records.ts'
import { levelColour, scaleOf } from '../../client/risk-matrix.ts'
import cells from '../../components/level-cell.module.css'
import { LevelMark } from '../../components/level-mark.tsx'
import { rating as words } from '../../copy/rating.ts'
import { EditTold } from './edit-told.tsx'
import { FactBody } from './fact.tsx'
import { RatingEditor } from './rating-editor.tsx'
import { RatingPlaces } from './rating-places.tsx'
import styles from './ratings.module.css'
import type { Edits } from './use-record-edits.ts'

interface Given {
  kind: DescribedKind
  edits: Edits
  editable: boolean
}

/** How grave it is, stage by stage: each level with what it follows from, and where that stands in the matrix. */
export function Ratings({ kind, edits, editable }: Given) {
  const stages = stagesOf(kind)
  if (stages.length === 0) return null
  return (
    <section aria-label={words.title} className={styles.band}>
      <ol className={styles.stages}>
        {stages.map((stage) => (
          <StageOf key={stage.name} stage={stage} kind={kind} edits={edits} editable={editable} />
        ))}
      </ol>
      <RatingPlaces kind={kind} stages={stages} record={edits.shown} />
    </section>
  )
}

function StageOf({ stage, kind, edits, editable }: Given & { stage: Stage }) {
  const record = edits.shown
  const rated = ratedAs(stage, record)
  const [first] = givenBy(stage)
  return (
    <li
      className={`${cells.cell} ${styles.stage}`}
      data-level={rated?.level}
      data-colour={rated && levelColour(rated.level)}
      data-main={stage.isMain || undefined}
      title={first!.description}
    >
      <span className={styles.name}>{stage.word}</span>
      {stage.pair ? (
        <RatingEditor kind={kind} stage={stage} edits={edits} editable={editable}>
          <StageLevel stage={stage} record={record} />
        </RatingEditor>
      ) : (
        <FactBody
          kind={kind}
          field={stage.level}
          edits={edits}
          editable={editable && stage.level.name in kind.fields}
        >
          <StageLevel stage={stage} record={record} />
        </FactBody>
      )}
      {stage.pair && (
        <>
          <span className={styles.pair}>{rated && pairWords(stage, record)}</span>
          <EditTold kind={kind} field={first!} edits={edits} shown={(one) => pairWords(stage, one)} />
        </>
      )}
    </li>
  )
}

function StageLevel({ stage, record }: { stage: Stage; record: AnyRecord }) {
  const rated = ratedAs(stage, record)
  if (!rated) return <span className={styles.none}>{words.none}</span>
  return (
    <span className={styles.level}>
      <LevelMark level={rated.level} levels={scaleOf(stage.level)} />
      {rated.score !== null && <Badge size="sm">{words.score(rated.score)}</Badge>}
    </span>
  )
}
