import { expect, test } from 'vitest'
import { harmIn, mailsThatSay } from './support/hostile-mails.ts'
import { HOSTILE_TEXTS } from './support/hostile-texts.ts'

/*
 * Promise: whatever of 500 texts that mean harm a policy, a person or an organization is called, a mail that says so has no
 * line in its head, no markup and no link of theirs.
 */

test('500 texts that mean harm are words in every mail', { timeout: 120_000 }, () => {
  for (const text of HOSTILE_TEXTS)
    for (const mail of mailsThatSay(text)) expect(harmIn(mail), text).toEqual([])
})
