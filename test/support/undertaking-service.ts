import { registerHooks } from 'node:module'

/*
 * The service with a family of kinds more, in a process of its own: what is made from the list of kinds is made when the modules
 * are read. It says its port, or with `migration` that of these kinds, and ends with its standard input.
 */

const other = new URL('./kinds-and-undertaking.ts', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context)
    return resolved.url.endsWith('/model/kinds/index.ts') ? { ...resolved, url: other } : resolved
  },
})

const [what, databaseUrl = '', masterKey = ''] = process.argv.slice(2)
if (what === 'migration') {
  const { kindMigration } = await import('../../server/records/kind-migration.ts')
  const { undertaking } = await import('./undertaking.ts')
  const { errand, keepsake } = await import('./errand.ts')
  for (const kind of [undertaking, errand, keepsake]) process.stdout.write(kindMigration(kind as never))
} else {
  const { openOtherDoor } = await import('./door.ts')
  const door = await openOtherDoor(databaseUrl, masterKey, { METRICS_PORT: '0', RATE_LIMIT: '1000000/10m' })
  process.stdout.write(`${door.port}\n`)
  process.stdin.resume().once('end', () => void door.close())
}
