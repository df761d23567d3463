import { Button, Menu } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { stateField } from '../../../model/roles.ts'
import { described, type Side } from '../../client/kinds.ts'
import { attentionOf } from '../../components/attention.ts'
import { type Named, Picker, type Source, sourceOf } from '../../components/picker.tsx'
import { record } from '../../copy/record.ts'
import { records, sideWords } from '../../copy/records.ts'
import { ChoiceWords } from './link-row.tsx'
import styles from './record.module.css'
import { choiceOf, type Found } from './use-links.ts'

const words = record.links

/** Links another record: as what, where there is a choice, and then which. */
export function AddLink({
  side,
  linked,
  add,
  isSpelled = false,
}: {
  side: Side
  /** What is linked already, and not offered. */
  linked: readonly string[]
  add: (found: Found, attribute: string | null) => void
  /** Whether the button says what is linked, where nothing beside it does. */
  isSpelled?: boolean
}) {
  const [picking, setPicking] = useState<{ attribute: string | null } | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const wasPicking = useRef(false)
  useEffect(() => {
    if (wasPicking.current && !picking) button.current?.focus()
    wasPicking.current = picking !== null
  }, [picking])
  const { relation, noun } = side
  const { many } = sideWords(side)
  const attribute = choiceOf(side)
  const opener = (pick?: () => void) => (
    <Button
      ref={button}
      variant="default"
      size="compact-xs"
      className={styles.linkAct}
      leftSection={<IconPlus size={12} aria-hidden />}
      aria-label={words.add(noun)}
      onClick={pick}
    >
      {isSpelled ? words.add(noun) : words.addShort}
    </Button>
  )
  if (picking)
    return (
      <Picker
        source={unlinked(side, linked)}
        placeholder={records.search(many)}
        choose={(found) => found && add(foundOf(side, found), picking.attribute)}
        close={() => setPicking(null)}
      >
        {opener()}
      </Picker>
    )
  if (!attribute || attribute.options.length < 2) {
    const assumed = attribute ? ((relation.defaults?.[attribute.name] as string | undefined) ?? null) : null
    return opener(() => setPicking({ attribute: assumed }))
  }
  return (
    <Menu position="bottom-end" shadow="sm" width={260}>
      <Menu.Target>{opener()}</Menu.Target>
      <Menu.Dropdown>
        {attribute.options.map((option) => (
          <Menu.Item key={option} onClick={() => setPicking({ attribute: option })}>
            <ChoiceWords option={option} means={attribute.meanings?.[option]} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function unlinked({ other }: Side, linked: readonly string[]): Source<Named> {
  const source = sourceOf(other.idPrefix)
  return {
    ...source,
    key: [...source.key, 'unlinked', linked],
    find: async (q) => (await source.find(q)).filter(({ id }) => !linked.includes(id)),
  }
}

export function foundOf({ other }: Side, { id, name, reference = '', record: values }: Named): Found {
  const kind = described(other)
  const of = (field: string | undefined) => (field ? ((values?.[field] as string | null) ?? null) : null)
  return {
    id,
    reference,
    title: name,
    state: of(kind && stateField(kind)),
    level: of(kind?.level) as Found['level'],
    attention: [...attentionOf(other, values ?? {})],
  }
}
