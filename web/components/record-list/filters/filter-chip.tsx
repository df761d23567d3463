import { CloseButton, Popover } from '@mantine/core'
import { useRef, useState } from 'react'
import { NONE } from '../../../../model/filter-names.ts'
import { records, registerWords } from '../../../copy/records.ts'
import { Picker, principals, sourceOf } from '../../picker.tsx'
import { unreadableIn } from '../../unreadable-input.ts'
import { Choices } from './choices.tsx'
import styles from './filter-chip.module.css'
import type { FilterProps } from './filter-props.ts'
import { optionWord, rangeWords } from './filter-words.ts'
import { LineFilter, RangeFilter, WordsFilter } from './typed.tsx'
import { useOwnerNames, useReferences } from './use-names.ts'

/** A filter with what it is set to: pressed, it can be set; or it is taken away. */
export function FilterChip({ kind, filter, view, rows, isNew, set, remove, closed }: FilterProps) {
  const [isOpen, setIsOpen] = useState(isNew)
  const { name, title, form, linked, unset } = filter
  const values = view.filters[name] ?? []
  const owners = useOwnerNames(kind, form === 'principal' ? values : [], rows)
  const references = useReferences(linked, values)
  const isNamed = form === 'principal' || linked !== undefined
  const words = [
    ...rangeWords(filter, view),
    ...new Set(
      values.map((value) =>
        isNamed && value !== unset
          ? (owners.get(value) ?? references.get(value) ?? value)
          : optionWord(filter, value),
      ),
    ),
  ]
  const dropdown = useRef<HTMLDivElement>(null)
  const [isLeft, setIsLeft] = useState(false)
  const close = () => {
    setIsOpen(false)
    setIsLeft(false)
    closed()
  }
  /** What is half typed would be gone without a word: who presses elsewhere is told once. Escape gives it up. */
  const leave = () => (isLeft || unreadableIn(dropdown.current).length === 0 ? close() : setIsLeft(true))
  const button = (
    <button type="button" className={styles.chip} onClick={() => setIsOpen(!isOpen)}>
      {words.length > 0 ? records.chosen(title, words.join(', ')) : title}
    </button>
  )
  /** Whoever signs in is found by their entry in the directory as well. */
  const add = (...ids: (string | undefined)[]) =>
    ids[0] && set([...new Set([...values, ...ids.flatMap((id) => id ?? [])])])
  return (
    <span className={styles.around} data-filter={name}>
      {isNamed && !isOpen ? (
        button
      ) : linked ? (
        <Picker
          source={sourceOf(linked.idPrefix)}
          placeholder={records.search(registerWords(linked).many)}
          choose={(found) => add(found?.id)}
          close={close}
        >
          {button}
        </Picker>
      ) : form === 'principal' ? (
        <Picker
          source={principals}
          placeholder={records.owner.search}
          nothing={records.owner.nobody}
          choose={(found) => (found ? add(found.refId, found.linkedPersonnelId) : add(NONE))}
          close={close}
        >
          {button}
        </Picker>
      ) : (
        <Popover
          opened={isOpen}
          onChange={(opened) => (opened ? setIsOpen(true) : leave())}
          position="bottom-start"
          shadow="sm"
          trapFocus
          returnFocus
          closeOnEscape={false}
        >
          <Popover.Target>{button}</Popover.Target>
          <Popover.Dropdown
            ref={dropdown}
            onKeyDown={({ key }) => key === 'Escape' && close()}
            p="xs"
            mah={360}
            style={{ overflowY: 'auto' }}
            aria-label={records.filterBy(title)}
          >
            {form === 'dates' || form === 'numbers' ? (
              <RangeFilter filter={filter} view={view} set={set} isLeft={isLeft} />
            ) : form === 'words' ? (
              <WordsFilter title={title} values={values} set={set} close={close} />
            ) : form === 'line' ? (
              <LineFilter title={title} value={values[0] ?? ''} set={set} close={close} />
            ) : (
              <Choices kind={kind} filter={filter} view={view} values={values} set={set} />
            )}
          </Popover.Dropdown>
        </Popover>
      )}
      {words.length > 0 && (
        <CloseButton size="xs" aria-label={records.removeFilter(title)} onClick={remove} />
      )}
    </span>
  )
}
