import { readdirSync, readFileSync } from 'node:fs'

/*
 * What processes have used of the processor, in milliseconds, as Linux counts it in /proc. NaN elsewhere.
 */

/** Linux counts in hundredths of a second, whatever the kernel's own tick. */
const TICK_MS = 10

export function processorTimeOf(pid: number): number {
  const stat = readStat(pid)
  return stat ? stat.own : Number.NaN
}

/** Of a process, its children that live, and those it has seen off. */
export function processorTimeOfFamily(pid: number): number {
  const parent = readStat(pid)
  if (!parent) return Number.NaN
  const living = readdirSync('/proc').flatMap((name) => {
    const child = /^\d+$/.test(name) ? readStat(Number(name)) : null
    return child?.parent === pid ? [child.own] : []
  })
  return living.reduce((sum, own) => sum + own, parent.own + parent.reaped)
}

export function parentOf(pid: number): number {
  return readStat(pid)?.parent ?? Number.NaN
}

function readStat(pid: number): { parent: number; own: number; reaped: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in brackets may hold anything, so fields are counted from its end: the state is the third.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = (place: number) => Number(fields[place - 3]) * TICK_MS
    return { parent: Number(fields[1]), own: ticks(14) + ticks(15), reaped: ticks(16) + ticks(17) }
  } catch {
    return null
  }
}
