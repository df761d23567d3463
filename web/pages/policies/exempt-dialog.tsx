import { Text, Textarea } from '@mantine/core'
import { readAgain } from '../../client/use-answer.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { useForm } from '../../components/use-form.ts'
import { acknowledgement } from '../../copy/acknowledgement.ts'
import type { Asked } from './asked.ts'

const words = acknowledgement.round.exempting

/** Why somebody need not acknowledge a policy. */
export function ExemptDialog({ asked: { id, person }, close }: { asked: Asked; close: () => void }) {
  const guarded = useGuardedCall()
  const { field, set, ...sending } = useForm({
    initial: { reason: '' },
    send: async ({ reason }) => {
      await guarded('exemptAttestation', { id, reason })
      await readAgain('listAttestations', 'listGuestPasses')
      close()
    },
  })
  return (
    <FormDialog words={words} of={sending} close={close}>
      <Text size="sm" fw={500}>
        {person ? <bdi>{person.name}</bdi> : acknowledgement.round.hidden}
      </Text>
      <Textarea
        {...field('reason')}
        onChange={({ currentTarget: { value } }) => set('reason', value)}
        label={words.reason}
        maxLength={2_000}
        autosize
        minRows={2}
        data-autofocus
      />
    </FormDialog>
  )
}
