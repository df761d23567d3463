import { Text } from '@mantine/core'
import { Chip } from '../../components/chip.tsx'
import { guestPasses as words } from '../../copy/guest-passes.ts'

/** That the last mail to a guest came back, and what the mail server said; nothing, where it did not. */
export function CameBack({ failure }: { failure: string | null }) {
  if (failure === null) return null
  return (
    <>
      {' '}
      <Chip look="bad">{words.cameBack}</Chip>
      <Text size="xs" maw="44ch">
        {failure}
      </Text>
    </>
  )
}
