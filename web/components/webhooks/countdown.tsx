import { useEffect, useState } from 'react'
import { deliveries } from '../../copy/deliveries.ts'
import { Timed } from '../moment.tsx'

/** How long until then, told anew every second; not read aloud each time. */
export function Countdown({ until }: { until: string }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const ticking = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(ticking)
  }, [])
  const seconds = Math.ceil((Date.parse(until) - now) / 1_000)
  return <Timed at={until}>{seconds > 0 ? deliveries.in(spell(seconds)) : deliveries.dueNow}</Timed>
}

function spell(seconds: number): string {
  const { units } = deliveries
  const hours = Math.floor(seconds / 3_600)
  const minutes = Math.floor((seconds % 3_600) / 60)
  if (hours > 0) return `${hours} ${units.hour} ${minutes} ${units.minute}`
  return minutes > 0
    ? `${minutes} ${units.minute} ${seconds % 60} ${units.second}`
    : `${seconds} ${units.second}`
}
