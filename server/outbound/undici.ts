import { createRequire } from 'node:module'

/**
 * undici is a hundred files, and a process that fetches nothing needs none of them: a command, or one that only serves
 * calls. Whoever is about to fetch asks for it.
 */
export const undici = (): typeof import('undici') => load('undici')

const load = createRequire(import.meta.url)
