import type { StoppedCode } from '../../../model/stopped-code.ts'

/**
 * Why a sign-in through a provider went no further. The browser is on its way back from elsewhere, so there is
 * no answer to put words into: it is sent to a page of ours with the plain code in the fragment, and the page
 * has the words (docs/sign-in.md lists them).
 */
export class Stopped extends Error {
  override name = 'Stopped'
  readonly code: StoppedCode

  constructor(code: StoppedCode) {
    super(code)
    this.code = code
  }
}
