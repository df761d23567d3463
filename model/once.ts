/**
 * What is made of a thing once and then known: of a kind, a relation, a text of SQL. Of these there are few, and they stay,
 * so nothing is ever forgotten.
 */
export function once<Key, T>(make: (key: Key) => T): (key: Key) => T {
  const known = new Map<Key, T>()
  return (key) => {
    if (!known.has(key)) known.set(key, make(key))
    return known.get(key) as T
  }
}
