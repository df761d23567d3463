import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call, type Output } from '../../../client/calls.ts'

const NOBODY: Output<'listMentionable'>['data'] = []

/** Who is called so and may read the record; nobody while nobody is looked for. */
export function useMentionable(recordId: string, asked: string | null): Output<'listMentionable'>['data'] {
  const [q] = useDebouncedValue(asked ?? '', 150)
  const input = { recordId, q: q.trim() }
  const { data } = useQuery({
    queryKey: ['listMentionable', input],
    queryFn: () => call('listMentionable', input),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
  })
  return data?.data ?? NOBODY
}
