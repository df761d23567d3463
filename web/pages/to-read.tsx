import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../client/calls.ts'
import { isProblem } from '../client/problem.ts'
import { queries } from '../client/queries.ts'
import { saveFrom } from '../client/uploads.ts'
import { readAgain } from '../client/use-answer.ts'
import { TextLink } from '../components/links.tsx'
import { Loaded } from '../components/loaded.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { ReadAndSay, ReplacedText } from '../components/read-and-say.tsx'
import { toRead as words } from '../copy/to-read.ts'

/** A policy that a member has to acknowledge, whole. */
export function ToReadPage() {
  const { id = '' } = useParams({ strict: false })
  // Of what was acknowledged, the correction that is in force.
  const [correction, setCorrection] = useState(false)
  const key = ['readMyAttestation', id, correction]
  const navigate = useNavigate()
  // Never while they read: the text that is before them is the one that they agree to.
  const text = useQuery({
    queryKey: key,
    queryFn: () => call('readMyAttestation', { id, correction }),
    staleTime: Infinity,
  })
  const readNew = async (next: string) => {
    await readAgain('listMyAttestations')
    if (next === id) await queries.invalidateQueries({ queryKey: key })
    else await navigate({ to: '/to-read/$id', params: { id: next } })
  }
  if (isProblem(text.error, 'text_changed') && !text.data)
    return (
      <Stack gap="md" maw={760}>
        <PageTitle>{words.mine.title}</PageTitle>
        <ReplacedText error={text.error} readNew={readNew} />
        <TextLink to="/my-work">{words.back}</TextLink>
      </Stack>
    )
  return (
    <Stack gap="md" maw={760}>
      <Loaded query={text} title={words.mine.title}>
        {(read) => (
          <>
            <PageTitle>{read.title}</PageTitle>
            <ReadAndSay
              key={read.contentSha256}
              read={read}
              download={async () => saveFrom((await call('downloadMyAttestation', { id, correction })).url)}
              pictures={{ of: 'mine', id, correction }}
              readNew={readNew}
              readCorrection={setCorrection}
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
