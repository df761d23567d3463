import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placesOf, STEP } from '../server/frameworks/places.ts'

/* What is put among others gets a place between them, and the others keep theirs as far as there is room. */

test('one that is added moves no other', () => {
  const placed = new Map(['a', 'b', 'c'].map((key, index) => [key, index * STEP]))
  expect([...placesOf(['a', 'new', 'b', 'c', 'last'], placed)]).toEqual([
    ['a', 0],
    ['new', STEP / 2],
    ['b', STEP],
    ['c', 2 * STEP],
    ['last', 3 * STEP],
  ])
})

test('places rise in the new order, whatever stood where', () => {
  const some = fc.uniqueArray(fc.integer({ min: 0, max: 60 }).map(String), { maxLength: 40 })
  fc.assert(
    fc.property(
      some,
      fc.dictionary(fc.integer({ min: 0, max: 60 }).map(String), fc.nat(200)),
      (keys, before) => {
        const places = placesOf(keys, new Map(Object.entries(before)))
        const values = keys.map((key) => places.get(key)!)
        expect(
          values.every((place, index) => place >= 0 && (index === 0 || place > values[index - 1]!)),
        ).toBe(true)
      },
    ),
  )
})
