import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { createLogger, defineConfig, type Logger, type Plugin } from 'vite'
import { BUILT } from '../model/reserved-words.ts'
import { chunkOf } from './chunks.ts'
import { kindsAsData } from './kinds/plugin.ts'

export default defineConfig({
  root: import.meta.dirname,
  // Sidebar every style and script that Vite writes into the page; the service puts its nonce there.
  html: { cspNonce: '__nonce__' },
  plugins: [react(), kindsAsData(), schemeFirst(), compressed()],
  customLogger: quietLogger(),
  build: {
    outDir: 'dist',
    assetsDir: BUILT,
    emptyOutDir: true,
    target: 'es2024',
    // The first that know light-dark(): what is put in its place for older ones does not fit our two schemes.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    manifest: 'manifest.json',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        main: join(import.meta.dirname, 'index.html'),
        guest: join(import.meta.dirname, 'guest.html'),
      },
      output: {
        codeSplitting: {
          groups: [{ name: chunkOf, debugName: 'chunks', includeDependenciesRecursively: false }],
        },
      },
    },
  },
})

/** Vite warns of what it does itself with the modules of styles, and whoever starts for the first time thinks it a fault. */
function quietLogger(): Logger {
  const logger = createLogger('warn')
  const { warnOnce } = logger
  logger.warnOnce = (message, options) => {
    if (!message.includes('did not pass the `from` option')) warnOnce(message, options)
  }
  return logger
}

/**
 * The colour scheme is set before anything is drawn, by a script that the page waits for. The policy of the
 * page takes no inline script, so it is a file of its own, and it is small.
 */
function schemeFirst(): Plugin {
  return {
    name: 'scheme-first',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id: join(import.meta.dirname, 'scheme.ts'), name: 'scheme' })
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        if (!bundle) return []
        const script = Object.values(bundle).find(({ name }) => name === 'scheme')
        if (script?.type !== 'chunk' || script.imports.length > 0) throw new Error('scheme.ts stands alone')
        return [{ tag: 'script', attrs: { src: `/${script.fileName}` }, injectTo: 'head-prepend' }]
      },
    },
  }
}

/** Compressed once and well, when it is built, rather than for each reader. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle({ dir }) {
      const built = join(dir!, BUILT)
      for (const name of readdirSync(built)) {
        const bytes = readFileSync(join(built, name))
        const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
        for (const [ending, small] of [
          ['br', brotliCompressSync(bytes, brotli)],
          ['gz', gzipSync(bytes, { level: 9 })],
        ] as const)
          if (small.length < bytes.length) writeFileSync(join(built, `${name}.${ending}`), small)
      }
    },
  }
}
