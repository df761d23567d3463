/**
 * @peculiar/x509 refuses to load without a metadata polyfill, though all it stores is which classes it may inject.
 * These three functions are the part it uses. Import this file before it.
 */
const stored = new WeakMap<object, Map<unknown, unknown>>()

function getMetadata(key: unknown, target: object): unknown {
  return stored.get(target)?.get(key)
}

function defineMetadata(key: unknown, value: unknown, target: object): void {
  if (!stored.has(target)) stored.set(target, new Map())
  stored.get(target)!.set(key, value)
}

Object.assign(Reflect, { getMetadata, getOwnMetadata: getMetadata, defineMetadata })
