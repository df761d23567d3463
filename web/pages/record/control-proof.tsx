import { Alert } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { Day } from '../../components/day.tsx'
import { evidenceHub } from '../../copy/evidence-hub.ts'
import type { Edits } from './use-record-edits.ts'

const words = evidenceHub.proof

/** That evidence proves an implemented control, and until when. */
export function ControlProof({ edits }: { edits: Edits }) {
  const until = edits.shown.provenUntil as string | null
  return (
    <Alert color="teal" variant="light" mb="md" p="xs" icon={<IconCircleCheck size={18} aria-hidden />}>
      {until ? (
        <>
          {words.until} <Day on={until} />
        </>
      ) : (
        words.forGood
      )}
    </Alert>
  )
}
