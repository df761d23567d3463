import { Combobox, Loader, Text, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactElement, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { callsOf } from '../../model/calls.ts'
import { nameOf } from '../../model/roles.ts'
import { call } from '../client/calls.ts'
import type { Field } from '../client/fields.ts'
import { everyKind } from '../client/kinds.ts'
import { type AnyRecord, type Principal, recordCall } from '../client/records.ts'
import { none, noneAsked } from '../copy/asked.ts'
import { records } from '../copy/records.ts'
import { attentionOf } from './attention.ts'
import { AttentionMark } from './attention-mark.tsx'
import styles from './picker.module.css'
import { PrincipalMark } from './principal-mark.tsx'

interface Choice {
  id: string
  shown: ReactNode
  hint?: string | undefined
}

export interface Source<Found> {
  key: readonly unknown[]
  find: (q: string) => Promise<Found[]>
  /** What is said where nothing is found. */
  none?: string | undefined
  choice: (found: Found) => Choice
}

const AT_MOST = 20

/** Somebody, with their entry in the directory where that is folded into them. */
export interface Someone extends Principal {
  linkedPersonnelId?: string | undefined
}

type Asked = Pick<Field, 'decidedBy' | 'takenUpBy'>

/**
 * Who may own a record; of a field that asks somebody to decide, or to do something, who can. A human is offered once.
 * @param type where nobody is meant who stands in the directory alone
 * @param butNot the user who is not offered
 */
export const people = (
  { decidedBy, takenUpBy }: Asked = {},
  type?: 'user',
  butNot?: string,
): Source<Someone> => ({
  key: ['listOwnershipPrincipals', 'picker', decidedBy, takenUpBy, type, butNot],
  none: takenUpBy && noneAsked(takenUpBy),
  find: (q) =>
    call('listOwnershipPrincipals', {
      limit: AT_MOST,
      ...(decidedBy ? { decidesAs: decidedBy } : {}),
      ...(type ? { type } : {}),
      ...(takenUpBy ? { takesUpAs: takenUpBy } : {}),
      ...(q ? { q } : {}),
    }).then(({ data }) => folded(data).filter(({ refId }) => refId !== butNot)),
  choice: (principal) => ({
    id: principal.refId,
    shown: <PrincipalMark principal={principal} />,
    hint: records.owner[principal.type],
  }),
})

/** As a record names them; what else was found of them stays here. */
export const principalOf = ({ type, refId, displayName, active }: Principal): Principal => ({
  type,
  refId,
  displayName,
  active,
})

/** Of a user and an entry in the directory that are the same human, the user: once, where both were found. */
export const folded = <Found extends { refId: string; linkedUserId?: string | undefined }>(
  found: readonly Found[],
): Found[] => found.filter(({ linkedUserId }) => !found.some(({ refId }) => refId === linkedUserId))

export const principals = people()

export interface Named {
  id: string
  name: string
  reference?: string
  record?: AnyRecord
}

/** The records, or users, that a field with this id prefix points at. */
export function sourceOf(target: string, asked?: Asked): Source<Named> {
  const kind = everyKind.find(({ idPrefix }) => idPrefix === target)
  if (!kind) {
    const { key, find } = people(asked, 'user')
    return {
      key: [...key, 'named'],
      find: (q) =>
        find(q).then((found) => found.map(({ refId, displayName }) => ({ id: refId, name: displayName }))),
      choice: ({ id, name }) => ({ id, shown: name }),
    }
  }
  return {
    key: [callsOf(kind).list, 'picker'],
    find: (q) =>
      recordCall(kind, 'list', { limit: AT_MOST, ...(q && { q }) }).then(({ data }) =>
        data.map((record) => ({
          id: record.id,
          name: nameOf(kind, record),
          reference: record.reference,
          record,
        })),
      ),
    choice: ({ id, name, reference, record }) => ({
      id,
      shown: (
        <span className={styles.shown}>
          {name}
          {record && <AttentionMark kind={kind} asks={attentionOf(kind, record)} />}
        </span>
      ),
      hint: reference,
    }),
  }
}

const NOTHING = 'nothing'

/** Within the click that opens it: what is typed next, however soon, is all in it. */
const focused = (search: HTMLInputElement | null) => search?.focus({ preventScroll: true })

/** A list to choose one from, searched by the service, opened at what stands inside it. */
export function Picker<Found>({
  source,
  help,
  nothing,
  placeholder = records.form.search,
  choose,
  close,
  children,
}: {
  source: Source<Found>
  /** What the choice means. */
  help?: string | undefined
  /** The word for choosing none, where that can be done. */
  nothing?: string | undefined
  placeholder?: string
  choose: (found: Found | null) => void
  close: () => void
  children: ReactElement
}) {
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), 120)
  const helpId = useId()
  const combobox = useCombobox({ defaultOpened: true, onDropdownClose: close })
  const found = useQuery({
    queryKey: [...source.key, q],
    queryFn: () => source.find(q),
    placeholderData: keepPreviousData,
  })
  // The options of an earlier search cannot be chosen: under the pointer or Enter they would become others.
  const isStale = typed.trim() !== q || found.isPlaceholderData
  /** Enter was pressed before the answer: it chooses the first option of that. */
  const isAwaited = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first of what was just found
  useEffect(() => {
    if (isStale) {
      combobox.resetSelectedOption()
      return
    }
    if (q) combobox.selectFirstOption()
    if (q && isAwaited.current) combobox.clickSelectedOption()
    isAwaited.current = false
  }, [found.data, isStale])
  const submit = (id: string) => {
    choose(id === NOTHING ? null : (found.data?.find((one) => source.choice(one).id === id) ?? null))
    combobox.closeDropdown()
  }
  return (
    <Combobox
      store={combobox}
      width={280}
      position="bottom-start"
      shadow="sm"
      // On a small screen the list scrolls the page: it stays open where that moves its button out of sight.
      hideDetached={false}
      onOptionSubmit={submit}
    >
      <Combobox.Target withAriaAttributes={false} withKeyboardNavigation={false}>
        {children}
      </Combobox.Target>
      <Combobox.Dropdown>
        {help && <Combobox.Header id={helpId}>{help}</Combobox.Header>}
        <Combobox.Search
          ref={focused}
          aria-describedby={help && helpId}
          value={typed}
          onChange={({ currentTarget }) => {
            isAwaited.current = false
            setTyped(currentTarget.value)
          }}
          onKeyDown={({ key, nativeEvent }) => {
            if (key === 'Enter' && isStale && !nativeEvent.isComposing) isAwaited.current = true
          }}
          placeholder={placeholder}
          aria-label={placeholder}
          rightSection={found.isFetching && <Loader size={14} />}
        />
        <Combobox.Options aria-label={placeholder} aria-busy={isStale} className={styles.options}>
          {nothing && !q && (
            <Combobox.Option value={NOTHING} disabled={isStale}>
              <Text size="sm" className={styles.hint}>
                {nothing}
              </Text>
            </Combobox.Option>
          )}
          {found.data?.map((one) => {
            const { id, shown, hint } = source.choice(one)
            return (
              <Combobox.Option value={id} key={id} disabled={isStale} className={styles.option}>
                {shown}
                {hint && (
                  <Text span size="xs" className={styles.hint} ml="auto" flex="none">
                    {hint}
                  </Text>
                )}
              </Combobox.Option>
            )
          })}
          {found.data?.length === 0 && <Combobox.Empty>{source.none ?? none}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
