import { typeidUnboxed } from 'typeid-js'

/** A new TypeID: a prefix, `_`, and a UUIDv7 in 26 base32 characters. */
export const newId = (prefix: string): string => typeidUnboxed(prefix)
