import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { BUILT } from '../../../model/reserved-words.ts'

/** What `vite build` made of web/, as it is served. */
export interface BuiltApp {
  /** The document of the app, with `NONCE` where each answer puts its own. */
  readonly page: string
  /** The document of guests, alike. */
  readonly guestPage: string
  /** By file name; each name carries a hash of what is in it. */
  readonly assets: ReadonlyMap<string, Asset>
}

export interface Asset {
  readonly type: string
  readonly plain: Buffer
  /** The same, compressed when it was built. */
  readonly br: Buffer | null
  readonly gzip: Buffer | null
}

/** Stands in the built page where the nonce of an answer goes (web/vite.config.ts). */
export const NONCE = '__nonce__'

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** By the file that each was read from: several services of one process have the same ones. */
const known = new Map<string, Asset>()

/**
 * Reads the built app whole. It is small, no request then meets a file system, and a build that runs beside
 * a service takes nothing from under it.
 *
 * @param folder where the build is, `web/dist`
 * @returns null where it was not built
 */
export function readBuilt(folder: string): BuiltApp | null {
  const [page, guestPage] = ['index.html', 'guest.html'].map((name) => read(join(folder, name)))
  if (!page || !guestPage) return null
  const assets = new Map<string, Asset>()
  for (const name of readdirSync(join(folder, BUILT))) {
    const type = TYPES[extname(name)]
    if (!type) continue
    const file = join(folder, BUILT, name)
    const asset = known.get(file) ?? readAsset(file, type)
    known.set(file, asset)
    assets.set(name, asset)
  }
  return { page: page.toString('utf8'), guestPage: guestPage.toString('utf8'), assets }
}

const readAsset = (file: string, type: string): Asset => ({
  type,
  plain: readFileSync(file),
  br: read(`${file}.br`),
  gzip: read(`${file}.gz`),
})

function read(file: string): Buffer | null {
  try {
    return readFileSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
