import { Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CopyableText } from '../../../components/copyable-text.tsx'
import { FormFoot } from '../../../components/form-foot.tsx'
import { useGuardedCall } from '../../../components/identity-guard.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { QrCode } from '../../../components/qr-code.tsx'
import { useForm } from '../../../components/use-form.ts'
import { totp } from '../../../copy/account.ts'

const words = totp.dialog

/** Shows the key as a picture and as text, and turns it on with the first code of the app. */
export function TotpSetUp({
  close,
  done,
}: {
  close: () => void
  done: (recoveryCodes: readonly string[]) => Promise<void>
}) {
  const call = useGuardedCall()
  const begun = useQuery({
    queryKey: ['beginTotp'],
    queryFn: () => call('beginTotp', {}),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const { form, field, problem, isSending } = useForm({
    initial: { code: '' },
    send: async (typed) => {
      const { recoveryCodes } = await call('confirmTotp', typed)
      await done(recoveryCodes ?? [])
    },
  })
  return (
    <Modal opened onClose={close} title={words.title} closeOnClickOutside={false}>
      <Loaded query={begun} lines={5}>
        {({ secret, uri }) => (
          <form {...form}>
            <Stack>
              <Text size="sm">{words.scan}</Text>
              <Group align="center" gap="lg">
                <QrCode text={uri ?? ''} label={words.picture} />
                <Stack gap={4} miw={0} flex="1 1 160px">
                  <Text size="xs" c="dimmed">
                    {words.key}
                  </Text>
                  <CopyableText>{secret ?? ''}</CopyableText>
                </Stack>
              </Group>
              <ProblemAlert error={problem} />
              <TextInput
                {...field('code')}
                label={words.code}
                inputMode="numeric"
                autoComplete="one-time-code"
                data-autofocus
              />
              <FormFoot submit={words.submit} isSending={isSending} cancel={close} />
            </Stack>
          </form>
        )}
      </Loaded>
    </Modal>
  )
}
