import { TextInput, type TextInputProps } from '@mantine/core'

/** For an e-mail: no keyboard begins it with a capital, and nobody spells it better. */
export const EmailInput = (props: TextInputProps) => (
  <TextInput type="email" autoCapitalize="none" spellCheck={false} {...props} />
)
