import { execFile } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

/*
 * The browser of the tests: the one that the lockfile brings as a package, which is the same everywhere and has no
 * windows, so that a page opens in a third of the time; where that does not run, a Chrome or Chromium of this
 * machine. TEST_BROWSER says which: a path, or `installed`.
 */

export interface BrowserProgram {
  readonly executablePath: string
  readonly env: Record<string, string>
}

const NAMES = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser', 'chrome']
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
const MODULES = join(import.meta.dirname, '../../../node_modules')

export async function findChromium(wanted = process.env.TEST_BROWSER): Promise<BrowserProgram> {
  const env = definedOnes(process.env)
  if (wanted && wanted !== 'installed') return { executablePath: wanted, env }
  if (!wanted && process.platform === 'linux' && process.arch === 'x64') return await bundled(env)
  const executablePath = ofThisMachine()
  if (!executablePath) throw new Error(NONE)
  return { executablePath, env }
}

const NONE =
  'There is no browser for the tests: the packages bring one for Linux on x64. Install Chrome or Chromium.'

function ofThisMachine(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...PLACES].find(existsSync)
}

/**
 * The package holds the program compressed, with the libraries and a font that a bare machine lacks. It is
 * unpacked once per installation; of several test files that need it at once, the first that ends wins.
 */
async function bundled(env: Record<string, string>): Promise<BrowserProgram> {
  const { version } = JSON.parse(readFileSync(join(MODULES, '@sparticuz/chromium/package.json'), 'utf8'))
  const cache = join(MODULES, '.cache')
  const folder = join(cache, `chromium-${version}`)
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true })
    const unpacked = mkdtempSync(join(cache, 'chromium-'))
    await unpack(unpacked)
    try {
      renameSync(unpacked, folder)
    } catch (error) {
      rmSync(unpacked, { recursive: true })
      if (!existsSync(folder)) throw error
    }
  }
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      ...env,
      LD_LIBRARY_PATH: [join(folder, 'al2023/lib'), env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  }
}

/** In a process of its own: the package unpacks to wherever that one's TMPDIR is. */
async function unpack(folder: string): Promise<void> {
  const libraries = join(MODULES, '@sparticuz/chromium/bin/al2023.tar.br')
  const script = `
    const { default: chromium, inflate } = await import('@sparticuz/chromium')
    await Promise.all([chromium.executablePath(), inflate(${JSON.stringify(libraries)})])`
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: join(MODULES, '..'),
    env: { ...process.env, TMPDIR: folder },
  })
  writeFileSync(join(folder, 'fonts.conf'), FONTS)
  // Who installed the packages and who runs the tests may be two.
  for (const path of [folder, join(folder, 'chromium')]) chmodSync(path, 0o755)
}

/** The font of the package lies beside this file. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

const definedOnes = (environment: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).filter((pair): pair is [string, string] => pair[1] !== undefined),
  )
