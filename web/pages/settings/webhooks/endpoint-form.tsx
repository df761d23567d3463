import { Drawer, Stack, TextInput } from '@mantine/core'
import type { Output } from '../../../client/calls.ts'
import { isProblem, Problem, type ProblemMembers } from '../../../client/problem.ts'
import { FormFoot } from '../../../components/form-foot.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { useForm } from '../../../components/use-form.ts'
import type { Endpoint } from '../../../components/webhooks/chip.tsx'
import { endpoints } from '../../../copy/webhooks.ts'
import { SignalTypeChoice } from './signal-type-choice.tsx'

const words = endpoints.form

/** An endpoint, to add or to change. */
export function EndpointForm({
  endpoint,
  signalTypes,
  save,
  close,
}: {
  /** The one to change. */
  endpoint?: Endpoint
  signalTypes: Output<'listWebhookEndpoints'>['signalTypes']
  save: (typed: { address: string; description: string | null; signalTypes: string[] }) => Promise<unknown>
  close: () => void
}) {
  const initial = {
    address: endpoint?.address ?? '',
    description: endpoint?.description ?? '',
    signalTypes: written(endpoint?.signalTypes ?? []),
  }
  const { form, field, typed, set, problem, isSending } = useForm({
    initial,
    optional: ['description'],
    send: ({ address, description, signalTypes }) =>
      save({
        address: address.trim(),
        description: description.trim() || null,
        signalTypes: read(signalTypes),
      }).catch(atItsField),
  })
  const isChanged = Object.entries(initial).some(
    ([name, value]) => typed[name as keyof typeof typed] !== value,
  )
  const leave = () => (!isChanged || window.confirm(words.leave)) && close()
  return (
    <Drawer opened onClose={leave} size="lg" title={endpoint ? words.editTitle : words.addTitle}>
      <form {...form}>
        <Stack>
          <ProblemAlert error={problem} />
          <TextInput
            {...field('address')}
            label={words.address}
            description={words.addressHint}
            placeholder={words.addressPlaceholder}
            type="url"
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
          <TextInput
            {...field('description')}
            label={words.description}
            description={words.descriptionHint}
            autoComplete="off"
          />
          <SignalTypeChoice
            signalTypes={signalTypes}
            chosen={read(typed.signalTypes)}
            choose={(types) => set('signalTypes', written(types))}
            error={field('signalTypes').error}
          />
        </Stack>
        <FormFoot submit={endpoint ? words.save : words.add} isSending={isSending} cancel={leave} isPinned />
      </form>
    </Drawer>
  )
}

/* A form is of texts; no type has a space in it. */
const written = (types: readonly string[]): string => types.toSorted().join(' ')
const read = (text: string): string[] => text.split(' ').filter(Boolean)

/** An address that may not be called is told at its field. */
function atItsField(error: unknown): never {
  if (!(error instanceof Problem) || !isProblem(error, 'address_not_public')) throw error
  const told = error.members as unknown as ProblemMembers
  throw new Problem({ ...told, errors: [{ path: 'address', message: error.message }] })
}
