/** Whether a value is a path of this app, and so a place to send somebody to; `//host` and `/\host` are not. */
export const isLocalPath = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^\/(?![/\\])/.test(value) &&
  new URL(value, location.origin).origin === location.origin
