import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { secrets } from '../copy/secrets.ts'

/** A password, that can be shown by mouse and by keyboard. */
export function SecretField(props: PasswordInputProps) {
  return (
    <PasswordInput
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': secrets.showPassword }}
      autoCapitalize="none"
      spellCheck={false}
      aria-invalid={props.error ? true : undefined}
      {...props}
    />
  )
}
