import type * as library from 'oidc-provider'

/*
 * oidc-provider, without the words it has for every Node that is not a long-term release of its list: whoever
 * starts the service can do nothing about them. The tests run it on the very Node that is pinned.
 */
const { warn } = console
console.warn = () => {}
const loaded: typeof library = await import('oidc-provider').finally(() => {
  console.warn = warn
})

export const { Provider, errors, interactionPolicy } = loaded
