import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { KindEntry } from '../../../model/described-kind.ts'
import { call } from '../../client/calls.ts'
import { mayDo } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { readAgain } from '../../client/use-answer.ts'
import { register } from '../../copy/register.ts'
import { FormDialog } from '../form-dialog.tsx'
import { useForm } from '../use-form.ts'

const words = register.views

/** Saves a view under a name; who may change records may also share it. */
export function SaveView({ kind, query, close }: { kind: KindEntry; query: string; close: () => void }) {
  const signedIn = useSignedIn()
  const [isShared, setIsShared] = useState(false)
  const { field, ...sending } = useForm({
    initial: { name: '' },
    send: async ({ name }) => {
      await call('createSavedView', { kind: kind.name, name, query, isShared })
      await readAgain('listSavedViews')
      close()
    },
  })
  return (
    <FormDialog words={words} of={sending} close={close}>
      <TextInput {...field('name')} label={words.name} autoComplete="off" data-autofocus />
      {mayDo(kind, 'update', signedIn) && (
        <Checkbox
          label={words.isShared}
          checked={isShared}
          onChange={({ currentTarget }) => setIsShared(currentTarget.checked)}
        />
      )}
    </FormDialog>
  )
}
