import { Anchor, Group, Text } from '@mantine/core'
import { lazy, Suspense, useRef, useState } from 'react'
import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { isMass } from '../../../model/noun.ts'
import { nameOf } from '../../../model/roles.ts'
import { isBackOf, linkFilter } from '../../../model/sides.ts'
import { fetchCode } from '../../client/fetch-code.ts'
import { described, kindIndex, type Side, sidesOf } from '../../client/kinds.ts'
import { listAddress } from '../../client/list-address.ts'
import { mayDo } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { describeAhead } from '../../client/use-kind.ts'
import { AppLink } from '../../components/app-link.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { MorePages } from '../../components/more-pages.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { countWord } from '../../copy/counts.ts'
import { record } from '../../copy/record.ts'
import { sideWords } from '../../copy/records.ts'
import { AddLink, foundOf } from './add-link.tsx'
import { Branch } from './branch.tsx'
import { LinkRow } from './link-row.tsx'
import styles from './record.module.css'
import { choiceOf, type Linked, saidOf, useLinks } from './use-links.ts'

const AddLinked = lazy(() =>
  fetchCode(() => import('./add-linked.tsx')).then((code) => ({ default: code.AddLinked })),
)

const words = record.links
const { control, evidence } = kindIndex

/** What a record is linked with: a section for each relation of its kind. */
export function Links({ kind, id, editable }: { kind: DescribedKind; id: string; editable: boolean }) {
  return inOrder(sidesOf(kind)).map((side) => (
    <LinksOf key={side.word} side={side} id={id} mayEdit={editable} />
  ))
}

/**
 * What a kind says of itself first, as it says it; then what others say of it. A control begins with what proves it, as its
 * head says whether anything does.
 */
const inOrder = (sides: readonly Side[]): readonly Side[] => {
  const placeOf = ({ writes, kind, other, relation }: Side) =>
    kind.name === control.name && other.name === evidence.name
      ? -1
      : writes
        ? kind.relations.indexOf(relation)
        : kind.relations.length
  return sides.toSorted((one, other) => placeOf(one) - placeOf(other))
}

function LinksOf({ side, id, mayEdit }: { side: Side; id: string; mayEdit: boolean }) {
  const { links, refused, link, unlink } = useLinks(side, id, true)
  const section = useRef<HTMLElement>(null)
  const [ended, setEnded] = useState<Linked | null>(null)
  const { other, relation } = side
  const Row = relation.from === relation.to ? Branch : LinkRow
  const signedIn = useSignedIn()
  const isOffered =
    !side.writes &&
    described(side.kind)?.alsoLinks?.includes(relation.name) === true &&
    mayDo(other, 'update', signedIn)
  const editable = mayEdit && (side.writes || isOffered)
  const whatIsMissing = words.none[side.kind.name]?.[side.word]
  describeAhead(other)
  const { one, many } = sideWords(side)
  const rows = links.data?.pages.flatMap(({ data }) => data) ?? []
  const count = links.data?.pages[0]?.counts[side.word] ?? 0
  const end = (linked: Linked) => {
    setEnded(linked)
    void unlink(linked)
  }
  const undo = (linked: Linked) => {
    // What was pressed goes away; the focus stays where the links are.
    section.current?.querySelector('button')?.focus()
    setEnded(null)
    void link(linked, saidOf(side, linked))
  }
  return (
    <section ref={section} aria-label={words.title(many)} className={styles.links}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <h2>
          {words.title(many)} {count > 0 && <ListLink side={side} id={id} count={count} />}
        </h2>
        {editable && (
          <Group gap={4} wrap="nowrap">
            {isOffered && mayDo(other, 'create', signedIn) && (
              <Suspense>
                <AddLinked
                  side={side}
                  added={(record) => {
                    setEnded(null)
                    const { id, reference } = record
                    void link(
                      foundOf(side, { id, reference, name: nameOf(other, record), record }),
                      relation.defaults ?? {},
                    )
                  }}
                />
              </Suspense>
            )}
            <AddLink
              side={side}
              linked={rows.map((row) => row.id)}
              add={(found, attribute) => {
                setEnded(null)
                const choice = choiceOf(side)
                void link(found, choice && attribute !== null ? { [choice.name]: attribute } : {})
              }}
            />
          </Group>
        )}
      </Group>
      <ProblemAlert error={refused} />
      {ended && !refused && (
        <Text size="sm" role="status" className={styles.unlinked}>
          {words.ended(ended.reference)}{' '}
          <Anchor
            key={ended.id}
            component="button"
            type="button"
            size="sm"
            autoFocus
            onClick={() => undo(ended)}
          >
            {words.undo}
          </Anchor>
        </Text>
      )}
      <Loaded query={links} lines={2}>
        {() =>
          rows.length === 0 ? (
            <Text size="sm" c="dimmed">
              {whatIsMissing ?? words.noneOf(many, isMass(side.noun))}
            </Text>
          ) : (
            <ul aria-label={words.title(many)}>
              {rows.map((row) => (
                <Row
                  key={row.id}
                  side={side}
                  linked={row}
                  label={words.unlink(one, row.reference)}
                  {...(editable
                    ? { change: (said: Values) => void link(row, said), end: () => end(row) }
                    : {})}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      <MorePages of={links} />
      {mayEdit && !side.writes && !isOffered && (rows.length > 0 || !whatIsMissing) && (
        <Text size="xs" c="dimmed" mt={4}>
          {words.elsewhere(one, isMass(side.noun))}
        </Text>
      )}
    </section>
  )
}

/** How many there are, and the way to the list of them. */
function ListLink({ side, id, count }: { side: Side; id: string; count: number }) {
  const back = sidesOf(side.other).find(isBackOf(side))!
  return (
    <Anchor
      component={AppLink}
      href={listAddress(side.other, { [linkFilter(back)]: id })}
      size="xs"
      aria-label={words.all(count, sideWords(side))}
    >
      {countWord(count)}
    </Anchor>
  )
}
