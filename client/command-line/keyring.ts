import { type Resealed, reseal } from '../../server/keyring/reseal.ts'
import { SEALED, type SealedColumnName } from '../../server/keyring/sealed-columns.ts'
import type { Command } from './command.ts'
import { columns } from './print.ts'
import { withService } from './service.ts'

const resealAll: Command = {
  name: 'keyring reseal',
  summary: 'Moves every secret at rest to the first master key',
  flags: {},
  notes:
    'While the service runs; cut short, it goes on with the next run. Tells what still needs an older key, so that you can see when one may go.',
  run: (given) =>
    withService(given, async (service) => {
      const done = await reseal(service)
      return { json: done, text: report(done), exitCode: done.unopened.length === 0 ? 0 : 1 }
    }),
}

function report({ firstKey, resealed, unopened, remaining, retired, shortLivedUntil }: Resealed): string {
  const moved = Object.entries(resealed).map(([what, count]) => [
    `  ${SEALED[what as SealedColumnName].title}`,
    String(count),
  ])
  const left = remaining.map(({ title, keyId, count, movesWhen }) => [
    `  ${title}`,
    String(count),
    keyId ?? '(not recorded)',
    movesWhen,
  ])
  return [
    `Moved to ${firstKey}:`,
    ...columns(moved),
    '',
    ...(left.length > 0 ? ['Still in need of an older key:', ...columns(left), ''] : []),
    ...remaining.flatMap(({ title, whose }) => (whose ? [`${title}: ${shortened(whose)}`, ''] : [])),
    ...unopened.map(
      ({ what, ids }) =>
        `${SEALED[what].title}: ${ids.join(' / ')} opens with no key and has to be set anew.`,
    ),
    ending(retired, remaining.length, shortLivedUntil),
  ].join('\n')
}

const NAMED_AT_MOST = 20

/** `--json` has them all. */
const shortened = (whose: readonly string[]): string =>
  whose.length > NAMED_AT_MOST
    ? `${whose.slice(0, NAMED_AT_MOST).join(', ')} and ${whose.length - NAMED_AT_MOST} more`
    : whose.join(', ')

function ending(retired: readonly string[], left: number, until: string): string {
  if (retired.length === 0) return 'No older key is left to go.'
  const keys = retired.join(', ')
  if (left > 0)
    return `Nothing is sealed with ${keys} any more. What stands above stops working once ${keys} is taken out of the ring.`
  return `${keys} may be taken out of the ring, from ${until} on: until then a sign-in under way or a repeated request may need it.`
}

export const keyringCommands = [resealAll]
