import { Anchor, Button, Group, Text } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { callsOf } from '../../../model/calls.ts'
import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { type CallName, call } from '../../client/calls.ts'
import { fieldsOf } from '../../client/fields.ts'
import { kindIndex, type Side, sidesOf } from '../../client/kinds.ts'
import { listAddress } from '../../client/list-address.ts'
import { isProblem } from '../../client/problem.ts'
import { type AnyRecord, countAgain, keepRecord, recordCall } from '../../client/records.ts'
import { AppLink } from '../../components/app-link.tsx'
import { ColourMark } from '../../components/colour-mark.tsx'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { frameworks } from '../../copy/frameworks.ts'
import { optionOf } from '../../copy/records.ts'
import { AddLink } from '../record/add-link.tsx'
import { useLinks } from '../record/use-links.ts'
import type { Edits } from '../record/use-record-edits.ts'
import { Chain } from './chain.tsx'
import styles from './coverage.module.css'
import type { Coverage } from './coverage-answer.ts'
import { EXCLUDED, ExclusionDialog } from './exclusion-dialog.tsx'
import { ResultDialog } from './result-dialog.tsx'

const words = frameworks.coverage

/** Whether people said the same of both of what is said here. */
const isAnsweredAlike = (one: AnyRecord, other: AnyRecord): boolean =>
  ['applicability', 'justification', 'resultPinned', 'resultReason'].every(
    (field) => one[field] === other[field],
  ) &&
  (!one.resultPinned || one.result === other.result)

/** How far a requirement is met, why, and what would have to be done. */
export function RequirementCoverage({
  kind,
  edits,
  editable,
}: {
  kind: DescribedKind
  edits: Edits
  editable: boolean
}) {
  const record = edits.shown
  return (
    <section aria-label={words.title} className={styles.coverage}>
      {record.assessable ? (
        <Explained kind={kind} edits={edits} editable={editable} />
      ) : (
        <Text size="sm">
          {words.heading}{' '}
          <Anchor component={AppLink} size="sm" href={listAddress(kind, { parentId: record.id })}>
            {words.below}
          </Anchor>
        </Text>
      )}
    </section>
  )
}

/** Drawn with what stands below it, which would be pushed down by what comes later. */
function useCoverage(kind: DescribedKind, { id, version }: AnyRecord): Coverage {
  const { data, refetch } = useSuspenseQuery({
    // Beside the links, which are read again after whatever may move it: a link, a control, evidence.
    queryKey: [callsOf(kind).links, 'coverage', id],
    queryFn: () => call('explainRequirement', { id }),
  })
  const read = useRef(version)
  useEffect(() => {
    if (read.current !== version) void refetch()
    read.current = version
  }, [version, refetch])
  return data
}

function Explained({ kind, edits, editable }: { kind: DescribedKind; edits: Edits; editable: boolean }) {
  const record = edits.shown
  const coverage = useCoverage(kind, record)
  const field = fieldsOf(kind).get('result')!
  const guarded = useGuardedCall()
  const [isGiving, setIsGiving] = useState(false)
  const [isExcluding, setIsExcluding] = useState(false)
  const [fault, setFault] = useState<unknown>(null)
  const save = async (change: Values, seen: AnyRecord = record): Promise<void> => {
    const input = { id: seen.id, ifMatch: seen.version, ...change }
    try {
      keepRecord(kind, (await guarded(callsOf(kind).update as CallName, input as never)) as never)
    } catch (error) {
      if (!isProblem(error, 'version_mismatch')) throw error
      const theirs = await recordCall(kind, 'get', { id: seen.id })
      keepRecord(kind, theirs)
      // What follows from controls has moved alone, or what this is not about: that is in nobody's way.
      if (!isAnsweredAlike(seen, theirs)) throw error
      return save(change, theirs)
    }
    void countAgain(kind)
  }
  const follow = () => {
    setFault(null)
    save({ resultPinned: false }).catch(setFault)
  }
  const { result, resultPinned, follows, support, missing } = coverage
  const applies = record.applicability !== EXCLUDED
  return (
    <>
      <Group justify="space-between" align="flex-start" gap="xs">
        <div className={styles.verdict}>
          <ColourMark colour={field.colours![result]}>{optionOf(field, result)}</ColourMark>
        </div>
        {editable && (
          <Group gap="xs">
            {applies && (
              <Button variant="default" size="xs" onClick={() => setIsExcluding(true)}>
                {words.exclude}
              </Button>
            )}
            {resultPinned && (
              <Button variant="default" size="xs" onClick={follow}>
                {words.follow}
              </Button>
            )}
            {applies && (
              <Button variant="default" size="xs" onClick={() => setIsGiving(true)}>
                {resultPinned ? words.change : words.give}
              </Button>
            )}
          </Group>
        )}
      </Group>
      <Text size="sm" maw="72ch">
        {whyOf(record, coverage)}
      </Text>
      {resultPinned && (
        <Text size="sm" c="dimmed">
          {words.follows(optionOf(field, follows))}
        </Text>
      )}
      <ProblemAlert error={fault} />
      {support.length > 0 && <Chain coverage={coverage} />}
      <NextSteps kind={kind} id={record.id} steps={missing} editable={editable && applies} />
      {isExcluding && (
        <ExclusionDialog kind={kind} record={record} save={save} close={() => setIsExcluding(false)} />
      )}
      {isGiving && (
        <ResultDialog kind={kind} coverage={coverage} save={save} close={() => setIsGiving(false)} />
      )}
    </>
  )
}

/** Why the result is what it is, in a sentence. */
function whyOf(
  { applicability, justification }: AnyRecord,
  { resultPinned, resultReason, support }: Coverage,
): string {
  if (resultPinned) return words.pinned(resultReason)
  if (applicability === EXCLUDED) return words.notApplicable(String(justification))
  if (support.length === 0) return words.nothing
  const whole = support.filter(({ coversWhole }) => coversWhole)
  if (whole.length === 0) return words.part
  const counting = whole.filter(({ grade }) => grade !== 'not_applicable')
  if (counting.length === 0) return words.notApplicableAll
  const are = (...grades: string[]) => counting.filter(({ grade }) => grades.includes(grade)).length
  return words.stand({ all: counting.length, inPlace: are('proven', 'unproven'), unproven: are('unproven') })
}

function NextSteps({
  kind,
  id,
  steps,
  editable,
}: {
  kind: DescribedKind
  id: string
  steps: readonly string[]
  editable: boolean
}) {
  const side = sidesOf(kind).find(({ other, writes }) => writes && other.name === kindIndex.control.name)
  if (steps.length === 0 && !(editable && side)) return null
  return (
    <div className={styles.steps}>
      {steps.length > 0 && <h2>{words.missing}</h2>}
      {steps.length > 0 && (
        <ul>
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ul>
      )}
      {editable && side && <LinkControl side={side} id={id} />}
    </div>
  )
}

function LinkControl({ side, id }: { side: Side; id: string }) {
  const { links, refused, link } = useLinks(side, id)
  const linked = links.data?.pages.flatMap(({ data }) => data.map((row) => row.id)) ?? []
  return (
    <>
      <AddLink isSpelled side={side} linked={linked} add={(found) => void link(found, {})} />
      <ProblemAlert error={refused} />
    </>
  )
}
