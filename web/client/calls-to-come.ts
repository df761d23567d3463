// TEMPORARY: what lands on main beside this.
type Entered =
  | { state: 'signed_in' }
  | { state: 'second_factor'; ticket: string; methods: ('totp' | 'recovery_code' | 'passkey')[] }
export interface CallsToCome {
  getInvitation: [
    { token: string },
    { email: string; organizationName: string; name: string | null; hasPassword: boolean },
  ]
  acceptInvitation: [{ token: string; name?: string; password?: string }, Entered]
  requestPasswordReset: [{ email: string }, object]
  getPasswordReset: [{ token: string }, { email: string }]
  resetPassword: [{ token: string; password: string }, object]
}
