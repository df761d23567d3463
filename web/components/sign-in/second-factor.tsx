import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../client/calls.ts'
import { eitherCode } from '../../client/second-factor-code.ts'
import { secondFactor } from '../../copy/sign-in.ts'
import { ProblemAlert } from '../problem-alert.tsx'
import { useForm } from '../use-form.ts'
import { ByPasskey } from './by-passkey.tsx'

export interface Challenge {
  ticket: string
  methods: readonly Method[]
}

type Method = 'totp' | 'recovery_code' | 'passkey'

/** The password was right; this is the step behind it. */
export function SecondFactor({
  challenge: { ticket, methods },
  done,
  startOver,
}: {
  challenge: Challenge
  done: () => Promise<unknown>
  startOver: () => void
}) {
  const [method, setMethod] = useState<Method>(methods[0] ?? 'recovery_code')
  return (
    <Stack aria-label={secondFactor.title}>
      {method === 'totp' && (
        <Code key="totp" ticket={ticket} input="code" words={secondFactor.totp} done={done} />
      )}
      {method === 'recovery_code' && (
        <Code
          key="recovery"
          ticket={ticket}
          input="recoveryCode"
          words={secondFactor.recoveryCode}
          done={done}
        />
      )}
      {method === 'passkey' && (
        <Stack>
          <Text size="sm">{secondFactor.passkey.text}</Text>
          <ByPasskey primary label={secondFactor.passkey.submit} ticket={ticket} done={done} />
        </Stack>
      )}
      <Stack gap={4}>
        {methods
          .filter((one) => one !== method)
          .map((one) => (
            <Button key={one} variant="subtle" onClick={() => setMethod(one)}>
              {secondFactor[one === 'recovery_code' ? 'recoveryCode' : one].choose}
            </Button>
          ))}
        <Button variant="subtle" color="gray" onClick={startOver}>
          {secondFactor.startOver}
        </Button>
      </Stack>
    </Stack>
  )
}

function Code({
  ticket,
  input,
  words,
  done,
}: {
  ticket: string
  input: 'code' | 'recoveryCode'
  words: { text: string; label: string; submit: string }
  done: () => Promise<unknown>
}) {
  const isCode = input === 'code'
  const { form, field, problem, isSending } = useForm({
    initial: { [input]: '' },
    send: (typed) =>
      call('signInSecondFactor', {
        ticket,
        ...(isCode ? eitherCode(typed.code!) : { recoveryCode: typed.recoveryCode!.trim() }),
      }).then(done),
  })
  return (
    <form {...form}>
      <Stack>
        <Text size="sm">{words.text}</Text>
        <ProblemAlert error={problem} />
        <TextInput
          {...field(input)}
          label={words.label}
          autoComplete={isCode ? 'one-time-code' : 'off'}
          inputMode={isCode ? 'numeric' : 'text'}
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
        />
        <Button type="submit" loading={isSending}>
          {words.submit}
        </Button>
      </Stack>
    </form>
  )
}
