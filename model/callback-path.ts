/** Where providers send browsers back to: one place for all of them (finishProviderSignIn). */
export const CALLBACK_PATH = '/sign-in/provider'
