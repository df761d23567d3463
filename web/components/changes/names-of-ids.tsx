import { Anchor } from '@mantine/core'
import { Fragment, useState } from 'react'
import { countWord } from '../../copy/counts.ts'
import { journal as words } from '../../copy/journal.ts'
import { NameOfId } from '../name-of-id.tsx'

/** Of a round there may be hundreds; each name is asked for. */
const AT_ONCE = 8

/** Who or what a list of ids stands for, some more of them each time somebody asks. */
export function NamesOfIds({ ids }: { ids: readonly string[] }) {
  const [shown, setShown] = useState(AT_ONCE)
  const left = ids.length - shown
  return (
    <span>
      {ids.slice(0, shown).map((id, at) => (
        <Fragment key={id}>
          {at > 0 && ', '}
          <NameOfId id={id} />
        </Fragment>
      ))}
      {left > 0 && (
        <>
          {' '}
          <Anchor component="button" type="button" size="xs" onClick={() => setShown(shown + AT_ONCE)}>
            {words.more(countWord(Math.min(left, AT_ONCE)), countWord(left))}
          </Anchor>
        </>
      )}
    </span>
  )
}

/** Whether it is a list of nothing but ids. */
export const areIds = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string' && isId(one))

export const isId = (text: string): boolean => /^[a-z]{2,5}_[0-9a-z]{26}$/.test(text)
