import { Box, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Output } from '../../client/calls.ts'
import { callAsGuest, PASS, policyOfPass, saveFileOfPass, TEXT } from '../../client/guest-calls.ts'
import { queries } from '../../client/queries.ts'
import { Loaded } from '../../components/loaded.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { ReadAndSay } from '../../components/read-and-say.tsx'
import { guestPage as words } from '../../copy/to-read.ts'
import { ProveMailbox } from './prove-mailbox.tsx'

/** What the link of a guest opens: the text, and what they say about it. */
export function OpenedPass({ pass }: { pass: Output<'getGuestPass'> }) {
  // Of what was acknowledged, the correction that is in force.
  const [correction, setCorrection] = useState(false)
  const policy = policyOfPass(correction)
  const text = useQuery(policy)
  const leaving = useMutation({
    mutationFn: () => callAsGuest('closeGuestPass', {}),
    onSettled: () => queries.resetQueries({ queryKey: PASS }),
  })
  return (
    <Box component="main" px="md" py="lg">
      <PageTitle>{pass.title}</PageTitle>
      <Stack gap="md" maw={760} mx="auto">
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm" c="dimmed">
            {words.from(pass.organization, pass.name)}
          </Text>
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            flex="none"
            onClick={() => leaving.mutate()}
          >
            {words.leave}
          </Button>
        </Group>
        <ProblemAlert error={leaving.error} />
        <Loaded query={text} lines={12}>
          {(read) => (
            <ReadAndSay
              key={read.contentSha256}
              read={read}
              download={(name) => saveFileOfPass(name, correction)}
              pictures={{ of: 'pass', correction }}
              readNew={() => queries.invalidateQueries({ queryKey: TEXT })}
              readCorrection={setCorrection}
              acknowledge={async (consent) =>
                queries.setQueryData(
                  policy.queryKey,
                  await callAsGuest('acknowledgePolicyAsGuest', { id: read.id, ...consent }),
                )
              }
              first={
                pass.isConfirmed
                  ? null
                  : (goOn, replaced) => (
                      <ProveMailbox
                        read={read}
                        replaced={replaced}
                        proved={() => {
                          queries.setQueryData(PASS, { ...pass, isConfirmed: true })
                          goOn()
                        }}
                      />
                    )
              }
            />
          )}
        </Loaded>
      </Stack>
    </Box>
  )
}
