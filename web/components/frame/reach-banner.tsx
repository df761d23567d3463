import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useConnectionState } from '../../client/connection-state.ts'
import { askAgain } from '../../client/reconnect.ts'
import { problems, reach as words } from '../../copy/problems.ts'
import styles from './reach-banner.module.css'

/** While the service does not answer, and once it answers as another version; gone by itself. */
export function ReachBanner() {
  const reach = useConnectionState()
  const asking = useMutation({ mutationFn: askAgain })
  return (
    <div role="status">
      {reach !== 'here' && (
        <div className={styles.banner}>
          <span className={styles.text}>{words[reach]}</span>
          {reach === 'away' ? (
            <Button
              size="compact-sm"
              variant="default"
              loading={asking.isPending}
              onClick={() => asking.mutate()}
            >
              {words.tryNow}
            </Button>
          ) : (
            <Button size="compact-sm" variant="default" onClick={() => location.reload()}>
              {problems.reload}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
