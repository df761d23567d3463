import { Anchor } from '@mantine/core'
import { useState } from 'react'
import type { Values } from '../../../model/complaint.ts'
import { fieldOf, titleOfField } from '../../client/journal.ts'
import { journal as words } from '../../copy/journal.ts'
import { FromTo } from './from-to.tsx'
import { isNamed, ListChange, NamedChange } from './list-change.tsx'
import { areIds } from './names-of-ids.tsx'
import { ObjectChange } from './object-change.tsx'
import { ToldValue } from './told-value.tsx'

interface Row {
  type: string
  name: string
  from: unknown
  to: unknown
  /** The one side there is anything to say of. */
  only: 'from' | 'to' | undefined
}

/** A field that changed; a long one is cut until somebody asks for all of it. */
export function ChangeRow(row: Row) {
  const [isWhole, setIsWhole] = useState(false)
  const { type, name, from, to } = row
  const isLong = !areNamed(row) && [from, to].some(isLongValue)
  return (
    <div data-long={isLong || undefined} data-whole={isWhole || undefined}>
      <dt>
        <bdi>{titleOfField(type, name)}</bdi>
      </dt>
      <dd>
        <Moved {...row} />
        {isLong && (
          <Anchor component="button" type="button" size="xs" onClick={() => setIsWhole(!isWhole)}>
            {isWhole ? words.less : words.whole}
          </Anchor>
        )}
      </dd>
    </div>
  )
}

const LONG = 160
/** Of ids as many are named as somebody asks for. */
const isLongValue = (value: unknown): boolean => !areIds(value) && JSON.stringify(value ?? null).length > LONG

function Moved({ type, name, from, to, only }: Row) {
  const field = fieldOf(type, name)
  if (areNamed({ from, to, only }))
    return <NamedChange from={isNamed(from) ? from : []} to={isNamed(to) ? to : []} />
  if (!only && isList(from) && isList(to)) return <ListChange from={from} to={to} field={field} />
  if (!only && isObject(from) && isObject(to)) return <ObjectChange from={from} to={to} field={field} />
  const told = (value: unknown) => <ToldValue type={type} name={name} field={field} value={value} />
  return <FromTo from={only !== 'to' && told(from)} to={only !== 'from' && told(to)} />
}

const areNamed = ({ from, to, only }: Pick<Row, 'from' | 'to' | 'only'>): boolean =>
  !only && (isNamed(from) || isNamed(to))

/** Of which it is worth telling what came and what went. */
const isList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
