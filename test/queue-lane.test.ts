import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allot } from '../server/queue/allotment.ts'
import { Lane } from '../server/queue/lane.ts'
import { Lanes } from '../server/queue/lanes.ts'

function lane(id: string, organizationId: string | null = null, due = true): Lane {
  const made = new Lane(id)
  made.organizationId = organizationId
  made.due = due
  return made
}

describe('the window of one partition', () => {
  test('begins at five and grows to twenty with quick successes', () => {
    const one = lane('a')
    expect(one.room).toBe(5)
    one.ended('succeeded', 2_000)
    expect(one.room).toBe(5)
    for (let n = 0; n < 40; n += 1) one.ended('succeeded', 20)
    expect(one.room).toBe(20)
  })

  test('shrinks to one after a timeout, and after three failures in a row', () => {
    const hanging = lane('a')
    hanging.ended('timed_out', 10_000)
    expect(hanging.room).toBe(1)
    const failing = lane('b')
    failing.ended('failed', 5)
    failing.ended('failed', 5)
    expect(failing.room).toBe(5)
    failing.ended('failed', 5)
    expect(failing.room).toBe(1)
    failing.ended('succeeded', 5)
    expect(failing.room).toBe(2)
  })

  test('is not narrowed by what says nothing of it', () => {
    const one = lane('a')
    for (let n = 0; n < 9; n += 1) one.ended('neutral', 5)
    expect(one.room).toBe(5)
  })
})

describe('the slots of all', () => {
  const capacity = { slots: 50, organizationShare: 0.2, firstAttemptShare: 0.2, claimAtMost: 30 }

  const greedy = () => Array.from({ length: 10 }, (_, n) => lane(`greedy ${n}`, 'greedy'))
  const givenTo = (organizationId: string, rooms: ReadonlyMap<Lane, number>) =>
    [...rooms].reduce((sum, [one, room]) => sum + (one.organizationId === organizationId ? room : 0), 0)

  test('are shared in equal parts among the organizations that wait', () => {
    const { rooms } = allot([...greedy(), lane('modest', 'modest')], capacity)
    expect(givenTo('greedy', rooms)).toBe(25)
    expect(givenTo('modest', rooms)).toBe(5)
  })

  test('are shared so that nobody has more than a fifth where many wait', () => {
    const others = Array.from({ length: 9 }, (_, n) => lane(`modest ${n}`, `modest ${n}`))
    const { rooms } = allot([...greedy(), ...others], { ...capacity, claimAtMost: 50 })
    expect(givenTo('greedy', rooms)).toBe(10)
    for (const other of others) expect(rooms.get(other)).toBeGreaterThan(0)
    expect([...rooms.values()].reduce((sum, room) => sum + room, 0)).toBe(50)
  })

  test('count what is worked past the queue towards the share', () => {
    const { rooms } = allot([...greedy(), lane('modest', 'modest')], capacity, new Map([['greedy', 20]]))
    expect(givenTo('greedy', rooms)).toBe(5)
    expect(givenTo('modest', rooms)).toBe(5)
  })

  test('serve somebody, however few they are and however many wait', () => {
    const few = { slots: 2, organizationShare: 0, firstAttemptShare: 0, claimAtMost: 2 }
    const waiting = Array.from({ length: 5 }, (_, n) => lane(`${n}`, `${n}`))
    expect([...allot(waiting, few).rooms.values()]).toEqual([1, 1])
  })

  test('may all be one organization’s while nobody else waits', () => {
    const { rooms } = allot(
      Array.from({ length: 10 }, (_, n) => lane(`${n}`, 'only')),
      capacity,
    )
    expect([...rooms.values()].reduce((sum, room) => sum + room, 0)).toBe(30)
  })

  test('are spared for who has next to nothing under way, however many others hang', () => {
    const sparing = { ...capacity, spareShare: 0.2 }
    const hanging = Array.from({ length: 50 }, (_, n) => lane(`hanging ${n}`, `hanging ${n % 5}`))
    const take = (lanes: Lane[]) => {
      const { rooms } = allot(lanes, sparing)
      for (const [one, room] of rooms) one.inFlight += room
      return [...rooms.values()].reduce((sum, room) => sum + room, 0)
    }
    let taken = 0
    for (let more = take(hanging); more > 0; more = take(hanging)) taken += more
    expect(taken).toBe(40)
    expect(take([...hanging, lane('modest', 'modest')])).toBe(1)
    const few = allot([...hanging, ...greedy()], sparing)
    expect(givenTo('greedy', few.rooms)).toBe(1)
    const lanes = new Lanes({ ...sparing, organizationShare: 1 })
    for (let n = 0; n < 8; n += 1) lanes.belongsTo(`${n}`, `hanging ${n}`).inFlight = 5
    expect([lanes.hasRoom('modest', 5), lanes.hasRoom('modest', 6)]).toEqual([true, false])
  })

  test('are kept for first attempts when few are left', () => {
    const busy = lane('busy', 'a')
    busy.inFlight = 39
    expect(allot([busy, lane('b', 'b')], capacity).firstAttemptsOnly).toBe(false)
    busy.inFlight = 40
    expect(allot([busy, lane('b', 'b')], capacity).firstAttemptsOnly).toBe(true)
  })

  test('are never given twice, nor past a window', () => {
    const lanes = fc.array(
      fc.record({
        organization: fc.constantFrom('a', 'b', 'c'),
        inFlight: fc.integer({ min: 0, max: 5 }),
        due: fc.boolean(),
      }),
      { maxLength: 30 },
    )
    fc.assert(
      fc.property(lanes, (given) => {
        const made = given.map(({ organization, inFlight, due }, n) => {
          const one = lane(`${n}`, organization, due)
          one.inFlight = inFlight
          return one
        })
        const { rooms } = allot(made, capacity)
        let total = made.reduce((sum, one) => sum + one.inFlight, 0)
        for (const [one, room] of rooms) {
          expect(one.due).toBe(true)
          expect(room).toBeLessThanOrEqual(one.room)
          total += room
        }
        if (rooms.size > 0) expect(total).toBeLessThanOrEqual(capacity.slots)
      }),
    )
  })
})

describe('the lanes of a worker', () => {
  const capacity = { slots: 10, organizationShare: 1, firstAttemptShare: 0, claimAtMost: 4 }
  const served = (lanes: Lanes) => [...lanes.reserve().rooms.keys()].map(({ partition }) => partition)

  test('that have nothing to do cost nothing, however many they are', () => {
    const lanes = new Lanes(capacity)
    let looks = 0
    for (let n = 0; n < 1_000; n += 1) {
      const idle = lanes.belongsTo(`${n}`, `organization ${n}`)
      const look = () => {
        looks += 1
        return 0
      }
      Object.defineProperty(idle, 'inFlight', { get: look })
    }
    lanes.reserve()
    looks = 0
    lanes.of('one').due = true
    expect(served(lanes)).toEqual(['one'])
    expect(lanes.hasRoom('somebody', 1)).toBe(true)
    expect(looks).toBe(0)
  })

  test('are served in turn', () => {
    const lanes = new Lanes({ ...capacity, claimAtMost: 1, slots: 100 })
    for (const name of ['a', 'b', 'c']) lanes.of(name).due = true
    const turns = Array.from({ length: 4 }, () => {
      const { rooms } = lanes.reserve()
      const [lane] = [...rooms.keys()]
      lanes.release(rooms, new Map([[lane!.partition, 1]]))
      return lane!.partition
    })
    expect(turns).toEqual(['a', 'b', 'c', 'a'])
  })

  test('that have nothing to do any more are in turn again when they have', () => {
    const lanes = new Lanes(capacity)
    lanes.of('a').due = true
    lanes.release(lanes.reserve().rooms, new Map())
    lanes.reserve()
    expect(served(lanes)).toEqual([])
    lanes.of('a').due = true
    expect(served(lanes)).toEqual(['a'])
  })
})
