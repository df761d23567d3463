import { Modal, TextInput, useMantineColorScheme, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { call } from '../../client/calls.ts'
import { everyKind, kindOfId } from '../../client/kinds.ts'
import { mayDo } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { signOut } from '../../copy/frame.ts'
import { records, palette as words } from '../../copy/records.ts'
import { AttentionMark } from '../attention-mark.tsx'
import { HELP } from './help-link.tsx'
import styles from './palette.module.css'
import { placesFor } from './places.ts'
import { useFoundById } from './use-found-by-id.ts'

export { Shortcuts } from './shortcuts.tsx'

interface Item {
  id: string
  label: string
  hint?: string | undefined
  /** What of a record asks somebody to see to it. */
  mark?: ReactNode
  act: () => void
}

/** One field over everything: pages and actions by their words, records by a search or by id. */
export function Palette({ leave, close }: { leave: () => void; close: () => void }) {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const list = useId()
  const groups = useGroups(typed, leave)
  const items = groups.flatMap((group) => group.items)
  const current = Math.min(at, items.length - 1)
  const options = useRef<HTMLDivElement>(null)
  useEffect(() => {
    options.current?.querySelector(`[data-at="${current}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [current])
  const run = (item: Item | undefined) => {
    if (!item) return
    close()
    item.act()
  }
  const pressed = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && items.length > 0) {
      event.preventDefault()
      setAt((current + step + items.length) % items.length)
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      run(items[current])
    }
  }
  let index = -1
  return (
    <Modal
      opened
      onClose={close}
      withCloseButton={false}
      centered={false}
      yOffset="12dvh"
      size={560}
      padding={0}
      attributes={{ content: { 'aria-label': words.title } }}
    >
      <TextInput
        variant="unstyled"
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={pressed}
        placeholder={words.placeholder}
        aria-label={words.placeholder}
        role="combobox"
        aria-expanded
        aria-controls={list}
        aria-activedescendant={current >= 0 ? `${list}-${current}` : undefined}
        leftSection={<IconSearch size={16} aria-hidden />}
        size="md"
        p={6}
        data-autofocus
      />
      <div id={list} ref={options} role="listbox" aria-label={words.title} className={styles.list}>
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options has no element
          <div key={group.label} role="group" aria-label={group.label}>
            <div className={styles.group} aria-hidden="true">
              {group.label}
            </div>
            {group.items.map((item) => {
              const place = ++index
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
                // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
                <div
                  key={item.id}
                  id={`${list}-${place}`}
                  data-at={place}
                  role="option"
                  aria-selected={place === current}
                  className={styles.item}
                  onMouseMove={() => setAt(place)}
                  onClick={() => run(item)}
                >
                  <span className={styles.label}>{item.label}</span>
                  {item.mark}
                  {item.hint && <span className={styles.hint}>{item.hint}</span>}
                </div>
              )
            })}
          </div>
        ))}
      </div>
      {items.length === 0 && (
        <div className={styles.nothing} role="status">
          {words.nothing}
        </div>
      )}
      <VisuallyHidden role="status">{items.length}</VisuallyHidden>
    </Modal>
  )
}

function useGroups(typed: string, leave: () => void): { label: string; items: Item[] }[] {
  const signedIn = useSignedIn()
  const navigate = useNavigate()
  const { setColorScheme } = useMantineColorScheme()
  const go =
    (to: string, search: Record<string, unknown> = {}) =>
    () =>
      void navigate({ to: to as '/', search: search as never })
  const pages = placesFor(signedIn).flatMap(({ label: group, places }) =>
    places.map(({ to, label }): Item => ({ id: to, label, hint: group ?? undefined, act: go(to) })),
  )
  const additions = everyKind
    .filter((kind) => mayDo(kind, 'create', signedIn))
    .map(
      (kind): Item => ({
        id: `add ${kind.name}`,
        label: records.form.submit(kind.noun),
        act: go(`/${kind.page}`, { add: true }),
      }),
    )
  const actions: Item[] = [
    ...additions,
    { id: 'light', label: words.light, act: () => setColorScheme('light') },
    { id: 'dark', label: words.dark, act: () => setColorScheme('dark') },
    {
      id: 'help',
      label: words.help,
      act: () => void window.open(HELP, '_blank', 'noopener'),
    },
    { id: 'docs', label: words.docs, act: () => void window.open('/docs', '_blank', 'noopener') },
    { id: 'out', label: signOut.action, act: leave },
  ]
  const [q] = useDebouncedValue(typed.trim(), 120)
  const { data } = useQuery({
    queryKey: ['search', { q }],
    queryFn: () => call('search', { q }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
  const found = (data?.data ?? []).flatMap(({ id, title, reference, archived, attention }): Item[] => {
    const kind = kindOfId(id)
    const hint = [reference, archived && words.archived].filter(Boolean).join(' · ')
    if (!kind) return []
    const mark = <AttentionMark key={id} kind={kind} asks={attention} />
    return [{ id, label: title, hint, mark, act: go(`/${kind.page}/${id}`) }]
  })
  const byId = useFoundById(q)
  const matching = (items: Item[]) => items.filter((item) => matches(item, typed))
  return [
    { label: words.groups.pages, items: matching(pages) },
    { label: words.groups.actions, items: matching(actions) },
    { label: words.groups.records, items: q && typed.trim() ? found : [] },
    {
      label: words.groups.byId,
      items: byId && typed.trim() === byId.id ? [{ ...byId, act: go(byId.to) }] : [],
    },
  ].filter(({ items }) => items.length > 0)
}

/** Every word that was typed begins a word of it. */
function matches({ label, hint = '' }: Item, typed: string): boolean {
  const all = ` ${label} ${hint}`.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(` ${word}`))
}
