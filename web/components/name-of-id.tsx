import { Code } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { KindEntry } from '../../model/described-kind.ts'
import { nameOf } from '../../model/roles.ts'
import { call } from '../client/calls.ts'
import { kindOfId } from '../client/kinds.ts'
import { useRecordAnswer } from '../client/records.ts'
import { RecordLink } from './record-link.tsx'

/** Who or what an id stands for, by name and with the way there; the id, where that is not to be known. */
export function NameOfId({ id }: { id: string }) {
  const kind = kindOfId(id)
  if (kind) return <NameOfRecord kind={kind} id={id} />
  return id.startsWith('usr_') ? <NameOfUser id={id} /> : <Code>{id}</Code>
}

function NameOfRecord({ kind, id }: { kind: KindEntry; id: string }) {
  const { data } = useRecordAnswer(kind, 'get', { id })
  if (!data) return <Code>{id}</Code>
  return (
    <RecordLink kind={kind} id={id} title={data.reference}>
      <bdi>{nameOf(kind, data)}</bdi>
    </RecordLink>
  )
}

function NameOfUser({ id }: { id: string }) {
  const { data } = useQuery({ queryKey: ['getUser', { id }], queryFn: () => call('getUser', { id }) })
  return data ? <bdi title={data.email}>{data.name}</bdi> : <Code>{id}</Code>
}
