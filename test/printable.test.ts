import { expect, test } from 'vitest'
import { printable } from '../client/command-line/print.ts'

/* Promise: what the command line prints moves no cursor and sets no title of a terminal, whatever a backup contains. */

test('control characters are shown as unknown ones, but for line feeds and tabs', () => {
  const name = '\u001b]0;title\u0007\u001b[2Jtables/risks\u009b31m\r'
  expect(printable(`a\tb\n${name}`)).toBe('a\tb\n\ufffd]0;title\ufffd\ufffd[2Jtables/risks\ufffd31m\ufffd')
})
