import { ActionIcon, Button, Checkbox, Group, Text } from '@mantine/core'
import { IconPencil, IconPlus, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { callsOf } from '../../../model/calls.ts'
import { type CallName, call } from '../../client/calls.ts'
import { kindIndex, saidByLinks, sidesOf } from '../../client/kinds.ts'
import { recordAddress } from '../../client/list-address.ts'
import { queries } from '../../client/queries.ts'
import { type AnyRecord, mayDo, recordCall } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { useBatches } from '../../client/use-batches.ts'
import { useKind } from '../../client/use-kind.ts'
import { AppLink } from '../../components/app-link.tsx'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Picker, type Source } from '../../components/picker.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { SearchBox } from '../../components/record-list/search-box.tsx'
import { frameworks } from '../../copy/frameworks.ts'
import { optionOf, valueWord } from '../../copy/records.ts'
import { MappingDialog, type Pair } from './mapping-dialog.tsx'
import styles from './mapping-editor.module.css'
import { type Mapping, type Read, readFrom } from './mappings.ts'

const words = frameworks.mappings
const side = sidesOf(kindIndex.requirement).find(({ word }) => word === 'mapping_target')!

interface Requirement {
  readonly id: string
  readonly key: string
  readonly title: string
  readonly assessable: boolean
}

const AT_ONCE = 200

/** All pages of a list: an editor of what is missing has to know all that is there. */
async function all<Row>(
  page: (from: object) => Promise<{ data: readonly unknown[]; nextCursor: string | null }>,
): Promise<readonly Row[]> {
  const rows: unknown[] = []
  let from: object = {}
  for (;;) {
    const { data, nextCursor } = await page({ limit: AT_ONCE, ...from })
    rows.push(...data)
    if (nextCursor === null) return rows as Row[]
    from = { cursor: nextCursor }
  }
}

const requirementsOf = (frameworkId: string) => ({
  queryKey: [callsOf(kindIndex.requirement).list, 'all of', frameworkId],
  queryFn: () =>
    all<Requirement>((from) =>
      recordCall(kindIndex.requirement, 'list', {
        ...from,
        frameworkId: [frameworkId],
        sort: 'sortOrder',
      }),
    ),
})

/** How the requirements of a framework stand to those of another: shown, added, changed and taken away. */
export function MappingEditor({ of, to, name }: { of: AnyRecord; to: AnyRecord; name: string }) {
  const asked = useQuery(requirementsOf(of.id))
  const others = useQuery(requirementsOf(to.id))
  const mappings = useQuery({
    queryKey: ['listFrameworkMappings', of.id, to.id],
    queryFn: () =>
      Promise.all(
        [
          { sourceFrameworkId: of.id, targetFrameworkId: to.id },
          { sourceFrameworkId: to.id, targetFrameworkId: of.id },
        ].map((ends) => all<Mapping>((from) => call('listFrameworkMappings', { ...from, ...ends }))),
      ).then((both) => both.flat()),
  })
  return (
    <Loaded query={asked} lines={10}>
      {(requirements) => (
        <Loaded query={others} lines={10}>
          {(theirs) => (
            <Loaded query={mappings} lines={10}>
              {(found) => (
                <Editor of={of} requirements={requirements} theirs={theirs} mappings={found} name={name} />
              )}
            </Loaded>
          )}
        </Loaded>
      )}
    </Loaded>
  )
}

function Editor({
  of,
  requirements,
  theirs,
  mappings,
  name,
}: {
  of: AnyRecord
  requirements: readonly Requirement[]
  theirs: readonly Requirement[]
  mappings: readonly Mapping[]
  name: string
}) {
  useKind(kindIndex.requirement)
  const mayMap = mayDo(kindIndex.requirement, 'link', useSignedIn())
  const guarded = useGuardedCall()
  const search = useRef<HTMLInputElement>(null)
  const [q, setQ] = useState('')
  const [isUnmappedOnly, setIsUnmappedOnly] = useState(false)
  const [pair, setPair] = useState<Pair | null>(null)
  const [fault, setFault] = useState<unknown>(null)
  const [said, setSaid] = useState('')
  const read = useMemo(() => readFrom(of.id, mappings), [of.id, mappings])
  const asked = requirements.filter(({ assessable }) => assessable)
  const mapped = asked.filter(({ id }) => read.has(id)).length
  const wanted = useDeferredValue(q).trim().toLowerCase()
  const shown = requirements.filter(
    (one) =>
      (one.assessable || read.has(one.id)) &&
      !(isUnmappedOnly && read.has(one.id)) &&
      (wanted === '' || textOf(one, read.get(one.id) ?? []).includes(wanted)),
  )
  const drawn = useBatches(shown.length, 60)
  const again = () =>
    Promise.all(
      ['listFrameworkMappings', 'compareFrameworks'].map((key) =>
        queries.invalidateQueries({ queryKey: [key] }),
      ),
    )
  const remove = async ({ mapping: { source, target } }: Read) => {
    setFault(null)
    const ends = { id: source.id, targetKind: 'mapping_target' as const, targetId: target.id }
    try {
      await guarded(callsOf(kindIndex.requirement).unlink as CallName, ends as never)
      setSaid(words.removed(source.key, target.key))
    } catch (problem) {
      setFault(problem)
    }
    await again()
  }
  return (
    <section aria-label={words.title}>
      <Group gap="md" mb="xs">
        <SearchBox label={words.search} input={search} q={q} find={setQ} />
        <Checkbox
          size="sm"
          label={words.unmappedOnly}
          checked={isUnmappedOnly}
          onChange={({ currentTarget }) => setIsUnmappedOnly(currentTarget.checked)}
        />
        <Text size="sm" c="dimmed" role="status">
          {said === '' ? words.mapped(mapped, asked.length) : `${said} ${words.mapped(mapped, asked.length)}`}
        </Text>
      </Group>
      <ProblemAlert error={fault} />
      {shown.length === 0 ? (
        <Text size="sm">{words.nothing}</Text>
      ) : (
        <table className={styles.table} aria-label={words.title}>
          <thead>
            <tr>
              {[words.columns.requirement, words.columns.relationship, name, words.columns.origin].map(
                (title) => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ),
              )}
              <th scope="col">{mayMap && words.columns.acts}</th>
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, drawn).map((one) => (
              <Rows
                key={one.id}
                requirement={one}
                found={read.get(one.id) ?? []}
                theirs={theirs}
                mayMap={mayMap}
                edit={setPair}
                remove={(gone) => void remove(gone)}
              />
            ))}
          </tbody>
        </table>
      )}
      {pair && (
        <MappingDialog
          pair={pair}
          fields={saidByLinks(side)}
          close={() => setPair(null)}
          done={() => {
            setSaid('')
            return again()
          }}
        />
      )}
    </section>
  )
}

const textOf = ({ key, title }: Requirement, found: readonly Read[]): string =>
  [key, title, ...found.flatMap(({ other }) => [other.key, other.title])].join(' ').toLowerCase()

/** A requirement, and a row for each that it is mapped with. */
function Rows({
  requirement,
  found,
  theirs,
  mayMap,
  edit,
  remove,
}: {
  requirement: Requirement
  found: readonly Read[]
  theirs: readonly Requirement[]
  mayMap: boolean
  edit: (pair: Pair) => void
  remove: (read: Read) => void
}) {
  const { id, key, title } = requirement
  const head = (
    <th scope="row" rowSpan={Math.max(1, found.length)}>
      <span className={styles.key}>{key}</span>{' '}
      <AppLink href={recordAddress(kindIndex.requirement, id)}>{title}</AppLink>
      {mayMap && (
        <div>
          <MapWith requirement={requirement} found={found} theirs={theirs} edit={edit} />
        </div>
      )}
    </th>
  )
  if (found.length === 0)
    return (
      <tr>
        {head}
        <td colSpan={4} className={styles.unmapped}>
          {words.unmapped}
        </td>
      </tr>
    )
  const fields = saidByLinks(side)
  const [relationships, origins] = ['relationship', 'origin'].map((name) =>
    fields.find((field) => field.name === name),
  )
  return found.map((one, index) => {
    const { other, mapping, relationship, isBackwards } = one
    return (
      <tr key={`${other.id} ${isBackwards}`} data-first={index === 0 || undefined}>
        {index === 0 && head}
        <td title={relationships?.meanings?.[String(relationship)]}>
          {relationships ? optionOf(relationships, String(relationship)) : valueWord(String(relationship))}
        </td>
        <td>
          <span className={styles.key}>{other.key}</span>{' '}
          <AppLink href={recordAddress(kindIndex.requirement, other.id)}>{other.title}</AppLink>
          {mapping.note && <div className={styles.note}>{mapping.note}</div>}
        </td>
        <td title={origins?.meanings?.[String(mapping.origin)]}>
          {words.origins[String(mapping.origin)]}
          {mapping.reviewedBy && <div className={styles.note}>{words.reviewed(mapping.reviewedBy)}</div>}
        </td>
        <td className={styles.acts}>
          {mayMap && (
            <>
              <ActionIcon
                aria-label={words.changeOne(key, other.key)}
                onClick={() => edit({ one: requirement, other, mapping, isBackwards })}
              >
                <IconPencil size={16} aria-hidden />
              </ActionIcon>
              <ActionIcon aria-label={words.removeOne(key, other.key)} onClick={() => remove(one)}>
                <IconX size={16} aria-hidden />
              </ActionIcon>
            </>
          )}
        </td>
      </tr>
    )
  })
}

const AT_MOST = 50

function MapWith({
  requirement,
  found,
  theirs,
  edit,
}: {
  requirement: Requirement
  found: readonly Read[]
  theirs: readonly Requirement[]
  edit: (pair: Pair) => void
}) {
  const [isPicking, setIsPicking] = useState(false)
  const taken = new Set(found.map(({ other }) => other.id))
  const source: Source<Requirement> = {
    key: ['to map with', requirement.id, taken.size],
    find: async (q) =>
      theirs
        .filter(({ id }) => !taken.has(id))
        .filter((one) => textOf(one, []).includes(q.toLowerCase()))
        .slice(0, AT_MOST),
    choice: ({ id, key, title }) => ({ id, shown: `${key} ${title}` }),
  }
  const opener = (
    <Button
      variant="subtle"
      size="compact-xs"
      leftSection={<IconPlus size={12} aria-hidden />}
      aria-label={words.mapOne(requirement.key)}
      onClick={() => setIsPicking(true)}
    >
      {words.map}
    </Button>
  )
  if (!isPicking) return opener
  return (
    <Picker
      source={source}
      placeholder={words.pick}
      choose={(other) => other && edit({ one: requirement, other, mapping: null, isBackwards: false })}
      close={() => setIsPicking(false)}
    >
      {opener}
    </Picker>
  )
}
