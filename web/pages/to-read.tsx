import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { call } from '../client/calls.ts'
import { queries } from '../client/queries.ts'
import { readAgain } from '../client/use-answer.ts'
import { TextLink } from '../components/links.tsx'
import { Loaded } from '../components/loaded.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { ReadAndSay } from '../components/read-and-say.tsx'
import { toRead as words } from '../copy/to-read.ts'

/** A policy that a member has to acknowledge, whole. */
export function ToReadPage() {
  const { id = '' } = useParams({ strict: false })
  const key = ['readMyAttestation', id]
  const text = useQuery({ queryKey: key, queryFn: () => call('readMyAttestation', { id }), retry: false })
  return (
    <Stack gap="md" maw={760}>
      <Loaded query={text} title={words.mine.title}>
        {(read) => (
          <>
            <PageTitle>{read.title}</PageTitle>
            <ReadAndSay
              read={read}
              acknowledge={async (consent) => {
                queries.setQueryData(key, await call('acknowledgeMyAttestation', { id, ...consent }))
                await readAgain('listMyAttestations')
              }}
            />
          </>
        )}
      </Loaded>
      <TextLink to="/my-work">{words.back}</TextLink>
    </Stack>
  )
}
