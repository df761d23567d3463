/** The nonce of this page: what it lets write styles into itself (server/doors/web-app.ts). */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''

// The scroll lock beneath dialogs writes a style of its own and looks for the nonce here.
Object.assign(globalThis, { __webpack_nonce__: nonce })
