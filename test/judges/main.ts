import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { JUDGES } from './judges.ts'
import { startService } from './service.ts'
import { install, PLACE } from './tools.ts'

/* `npm run judges`: README.md says what each judge judges. Ends with 1 where one has a finding. */

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !JUDGES.some((judge) => judge.name === name))
if (unknown.length > 0) {
  console.error(`judges: no ${unknown.join(', ')}; there are ${JUDGES.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}

install()
const service = await startService()
try {
  const document = await (await fetch(`${service.base}/v1/openapi.json`)).text()
  writeFileSync(join(PLACE, 'openapi.json'), document)
  const calls = Object.values(JSON.parse(document).paths as Record<string, object>).flatMap(
    Object.keys,
  ).length
  console.log(`openapi.json: ${Buffer.byteLength(document)} bytes, ${calls} calls`)
  let found = 0
  for (const judge of JUDGES.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    const { findings, says } = await judge.judge(service)
    found += findings.length
    console.log(
      `\n${judge.name} ${judge.version}: ${findings.length === 0 ? 'no finding' : `${findings.length} findings`}`,
    )
    if (says) console.log(says)
    for (const finding of findings) console.log(`  - ${finding}`)
  }
  process.exitCode = found > 0 ? 1 : 0
} finally {
  await service.stop()
}
