import { UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { fetchCode } from '../../client/fetch-code.ts'
import { kindOfId } from '../../client/kinds.ts'
import { mayDo } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { myWork as words } from '../../copy/my-work.ts'
import { valueWord } from '../../copy/records.ts'
import styles from './my-work.module.css'

/** Of what is opened. */
const RecordState = lazy(() =>
  fetchCode(() => import('./record-state.tsx')).then((code) => ({ default: code.RecordState })),
)

/**
 * The state of a record among others; for whoever may change it, a button that leads it on.
 * @param told what came of it, where the service did not take it; null once something is tried again
 */
export function StateInPlace({
  one: { id, title, state },
  isMine,
  told,
}: {
  one: { readonly id: string; readonly title: string; readonly state: string | null }
  /** Whether it names them: then what its kind leaves to whom it names is theirs to do. */
  isMine: boolean
  told: (error: unknown) => void
}) {
  const kind = kindOfId(id)!
  const signedIn = useSignedIn()
  const isLeft = isMine && kind.leftTo !== undefined && signedIn.limitedView !== 'auditor'
  const isOffered = mayDo(kind, 'update', signedIn) || isLeft
  const [isOpen, setIsOpen] = useState(false)
  const [wasOpened, setWasOpened] = useState(false)
  if (state === null) return null
  if (!isOffered) return <>{valueWord(state)}</>
  const button = (
    <UnstyledButton
      className={styles.state}
      aria-haspopup="true"
      aria-expanded={isOpen}
      aria-label={words.stateOf(valueWord(state), title)}
      onClick={() => {
        told(null)
        setIsOpen(true)
        setWasOpened(true)
      }}
    >
      {valueWord(state)}
      <IconChevronDown size={13} aria-hidden />
    </UnstyledButton>
  )
  if (!wasOpened) return button
  return (
    <Suspense fallback={button}>
      <RecordState entry={kind} id={id} isOpen={isOpen} told={told} close={() => setIsOpen(false)}>
        {button}
      </RecordState>
    </Suspense>
  )
}
