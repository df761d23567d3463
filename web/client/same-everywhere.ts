import { useEffect } from 'react'

const windows = new BroadcastChannel('plumbline-identity')

/**
 * The windows of a browser share one cookie, so when one of them signs out or goes to another organization, all
 * others would act there with what they show from here. Each tells the others who it is, and whoever hears of
 * somebody else begins afresh.
 *
 * @param identity who acts and where; undefined while that is being asked
 */
export function useSameEverywhere(identity: string | undefined): void {
  useEffect(() => {
    if (identity === undefined) return
    const hear = ({ data }: MessageEvent<string>) => {
      if (data !== identity) location.reload()
    }
    windows.addEventListener('message', hear)
    windows.postMessage(identity)
    return () => windows.removeEventListener('message', hear)
  }, [identity])
}
