import { Refusal } from './refusal.ts'

/*
 * What programs without rights work at (limited-process.ts) may take them some time, and three at a time are all that one
 * machine is asked for. One organization has one that reads and one that writes at a time, so that a document does not
 * wait for a file that is hard to read. It never has all three: a place is left for another organization. The next is the one whose organization had its turn longest ago, so that
 * nobody waits for more than is under way, however much another has sent.
 */
const AT_ONCE = 3
const WAITING_AT_MOST = 20
const OF_ONE_AT_MOST = 3

export type LimitedWork = 'reads' | 'writes'

interface Waiting {
  readonly organizationId: string
  readonly what: LimitedWork
  readonly go: () => void
}

const waiting: Waiting[] = []
/** The work of each organization that is under way. */
const underWay = new Map<string, LimitedWork[]>()
/** Who has had a turn, the last one at the end. */
const served = new Set<string>()

/**
 * Works at it when its turn has come.
 * @throws {Refusal} `unavailable` where many wait, or three of the organization are under way or wait
 */
export async function inTurn<T>(
  organizationId: string,
  what: LimitedWork,
  work: () => Promise<T>,
): Promise<T> {
  const isOwn = (one: Waiting) => one.organizationId === organizationId
  const own = waiting.filter(isOwn).length + (underWay.get(organizationId)?.length ?? 0)
  if (own >= OF_ONE_AT_MOST || waiting.length >= WAITING_AT_MOST)
    throw new Refusal('unavailable', 'Many files are being read or written: try again in a moment.')
  await new Promise<void>((go) => {
    waiting.push({ organizationId, what, go })
    goOn()
  })
  try {
    return await work()
  } finally {
    const left = underWay.get(organizationId)!
    left.splice(left.indexOf(what), 1)
    if (left.length === 0) underWay.delete(organizationId)
    goOn()
  }
}

function goOn(): void {
  for (let next = nextOne(); next; next = nextOne()) {
    const { organizationId, what, go } = next
    waiting.splice(waiting.indexOf(next), 1)
    underWay.set(organizationId, [...(underWay.get(organizationId) ?? []), what])
    served.delete(organizationId)
    served.add(organizationId)
    go()
  }
  // Whoever has had no turn comes before everybody else, so nothing is lost by forgetting all of them together.
  if (waiting.length === 0 && underWay.size === 0) served.clear()
}

function nextOne(): Waiting | undefined {
  if ([...underWay.values()].flat().length >= AT_ONCE) return undefined
  const order = [...served]
  const placeOf = ({ organizationId }: Waiting) => order.indexOf(organizationId)
  return waiting
    .filter(({ organizationId, what }) => !underWay.get(organizationId)?.includes(what))
    .toSorted((one, other) => placeOf(one) - placeOf(other))[0]
}
