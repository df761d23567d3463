import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { call } from '../../../client/calls.ts'
import { isProblem } from '../../../client/problem.ts'
import { checkSignature, type Logged, readHeaders } from '../../../client/signature-check.ts'
import { TextLink } from '../../../components/links.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { SecretField } from '../../../components/secret-field.tsx'
import { bench as words } from '../../../copy/signature-bench.ts'
import { Result } from './result.tsx'

interface From {
  delivery: string
  attempt: number
  headers: string
  body: string
  clock: string
}

const EMPTY = { headers: '', body: '', secret: '', computed: '', clock: '' }

/** The secret is in this component's memory and nowhere else, and gone with it. */
export function Bench({ from }: { from?: From }) {
  const initial = from ? { ...EMPTY, headers: from.headers, body: from.body, clock: from.clock } : EMPTY
  const [typed, setTyped] = useState(initial)
  const checking = useMutation({
    mutationFn: async (given: typeof typed) => {
      const { headers, body, secret, computed } = given
      const clock = secondsOf(given.clock)
      const logged = await loggedOf(readHeaders(headers)['webhook-id'])
      const verdict = await checkSignature({
        headers,
        body,
        secret,
        computed,
        ...(clock === null ? {} : { clock }),
        ...(logged ? { logged } : {}),
      })
      return { verdict, isCompared: logged !== undefined }
    },
    gcTime: 0,
  })
  // It stands beneath the longest of forms.
  const verdict = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (checking.data) verdict.current?.scrollIntoView({ block: 'nearest' })
  }, [checking.data])
  const field = (name: keyof typeof typed) => ({
    name,
    value: typed[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => {
      setTyped((all) => ({ ...all, [name]: value }))
      checking.reset()
    },
    autoComplete: 'off',
    spellCheck: false,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    checking.mutate(typed)
  }
  const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.75rem' } }
  return (
    <form
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        event.currentTarget.requestSubmit()
      }}
    >
      <Stack>
        {from && (
          <Text size="sm">
            {words.from}{' '}
            <TextLink
              to="/settings/deliveries/$id"
              params={{ id: from.delivery }}
              style={{ overflowWrap: 'anywhere' }}
            >
              {from.delivery}
            </TextLink>
            . {words.fromText(from.attempt)}
          </Text>
        )}
        <Textarea
          {...field('headers')}
          label={words.headers}
          description={words.headersHint}
          placeholder={words.headersPlaceholder}
          rows={5}
          styles={mono}
        />
        <Textarea {...field('body')} label={words.body} description={words.bodyHint} rows={8} styles={mono} />
        <SecretField
          {...field('secret')}
          label={words.secret}
          description={words.secretHint}
          data-1p-ignore
          autoComplete="new-password"
        />
        <Group align="flex-start" grow preventGrowOverflow={false} wrap="wrap">
          <TextInput
            {...field('computed')}
            label={words.computed}
            description={words.computedHint}
            miw={240}
            styles={mono}
          />
          <TextInput {...field('clock')} label={words.clock} description={words.clockHint} miw={240} />
        </Group>
        <Group gap="xs">
          <Button type="submit" loading={checking.isPending}>
            {words.submit}
          </Button>
          <Button
            variant="default"
            onClick={() => {
              setTyped(EMPTY)
              checking.reset()
            }}
          >
            {words.clear}
          </Button>
        </Group>
        <ProblemAlert error={checking.error} />
        <div ref={verdict} role="status">
          {checking.data && <Result {...checking.data} />}
        </div>
      </Stack>
    </form>
  )
}

/** What the log knows of an id; undefined where it could not be asked. */
async function loggedOf(id: string | undefined): Promise<Logged | undefined> {
  if (!id || id.length > 200) return undefined
  try {
    const { request, attempts } = await call('getWebhookDelivery', { id })
    const sent = attempts.flatMap(({ headers }) => (headers ? [{ headers }] : []))
    return { found: true, body: request.body, attempts: sent }
  } catch (error) {
    return isProblem(error, 'not_found') ? { found: false } : undefined
  }
}

/** Unix seconds of what was typed; null for now. */
function secondsOf(text: string): number | null {
  const given = text.trim()
  if (/^\d+$/.test(given)) return Number(given) > 1e11 ? Number(given) / 1_000 : Number(given)
  const time = Date.parse(given)
  return Number.isNaN(time) ? null : time / 1_000
}
