import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Judge } from './judges.ts'
import { PLACE, PYPI, run } from './tools.ts'

const CALLS_AT_LEAST = 5_000
/** Of each call, beside what its examples, its edges and its state bring: together well over that many. */
const EXAMPLES = '15'

/** A finding that is no fault, and why. What is not said matches any. */
interface Allowed {
  /** As schemathesis numbers its checks: `ST202`. */
  readonly check: string
  /** `POST /v1/risks` */
  readonly call?: string
  /** A regular expression for the case as it is told: what was sent, and what was answered. */
  readonly told?: string
  readonly reason: string
}

/** What it found in one generated call. */
interface Found {
  readonly check: string
  readonly title: string
  readonly call: string
  readonly told: string
}

const allowed: readonly Allowed[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'allowed.json'), 'utf8'),
)

/** Generates calls from the document, good and bad ones, and holds every answer against it. */
export const schemathesis: Judge = {
  name: 'schemathesis',
  version: PYPI.schemathesis,
  judge: ({ base, key }) => {
    copyFileSync(join(import.meta.dirname, 'schemathesis-hooks.py'), join(PLACE, 'schemathesis_hooks.py'))
    const { text, status } = run(
      'schemathesis',
      [
        ...['run', 'openapi.json', '--url', base, '--header', `Authorization: Bearer ${key}`],
        ...['--checks', 'all', '--max-examples', EXAMPLES, '--continue-on-failure'],
        ...['--seed', '1', '--no-shrink', '--suppress-health-check', 'all', '--output-truncate', 'false'],
      ],
      { SCHEMATHESIS_HOOKS: 'schemathesis_hooks', PYTHONPATH: PLACE },
    )
    if (status !== 0 && status !== 1) return { findings: text.trim().split('\n').slice(-20) }
    const all = foundIn(text)
    const generated = Number(/(\d+) generated/.exec(text)?.[1])
    const left = all.filter((found) => !allowed.some((rule) => covers(rule, found)))
    const used = allowed.map((rule) => [rule, all.filter((found) => covers(rule, found)).length] as const)
    return {
      findings: [
        ...(generated >= CALLS_AT_LEAST ? [] : [`only ${generated} calls were generated`]),
        ...left.map(({ check, title, call, told }) => `${call}: ${check} ${title}\n${told}`),
      ],
      says: [
        /\d+ generated.*/.exec(text)?.[0] ?? '',
        ...used.map(
          ([{ check, call = 'any call', reason }, count]) => `  ${count} × ${check} of ${call}: ${reason}`,
        ),
      ].join('\n'),
    }
  },
}

const covers = ({ check, call, told }: Allowed, found: Found): boolean =>
  check === found.check &&
  (call === undefined || call === found.call) &&
  (told === undefined || new RegExp(told, 's').test(found.told))

/** What stands between its headings: for each call its cases, and of each case the checks that failed. */
function foundIn(text: string): Found[] {
  const [, failures = ''] = text.split(/^=+ FAILURES =+$/m)
  const [told = ''] = failures.split(/^=+ SUMMARY =+$/m)
  return told.split(/^_{3,} /m).flatMap((section) => {
    const [heading = '', ...cases] = section.split(/^\d+\. Test Case ID: .*$/m)
    const call = heading.replace(/ _+\s*$/, '').trim()
    return cases.flatMap((one) =>
      [...one.matchAll(/^- (ST\d+) (.*)$/gm)].map(([, check = '', title = '']) => ({
        check,
        title,
        call,
        told: one.trim(),
      })),
    )
  })
}
