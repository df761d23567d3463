/** Where providers send browsers back to: one place for all of them (doors/sign-in-provider.ts). */
export const CALLBACK_PATH = '/sign-in/provider'
