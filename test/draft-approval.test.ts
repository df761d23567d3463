import { expect, test } from 'vitest'
import { asTable } from '../web/pages/policies/link-lists.ts'
import { withoutApproval } from '../web/pages/policies/without-approval.ts'

/* Promise: a draft does not claim an approval, and a table of guest links is pasted as what it says. */

test.each([
  [
    'Version 2.0, approved by {{policy.approver}}.',
    'Version 2.0, approved by {{policy.approver}} (not yet approved).',
  ],
  ['**Approved by:** x', '**Approved by:** x'],
  ['Approved by: {{ policy.approver }}', 'Approved by: {{ policy.approver }} (not yet approved)'],
  ['Freigegeben durch {{policy.approver}}', 'Freigegeben durch {{policy.approver}} (not yet approved)'],
  ['Exceptions are approved by {{policy.approver}}.', 'Exceptions are approved by {{policy.approver}}.'],
  ['{{policy.approver}} decides.', '{{policy.approver}} decides.'],
])('%s is read as %s', (content, read) => {
  expect(withoutApproval(content)).toBe(read)
})

test('names of guests make no formula and no further cell', () => {
  expect(
    asTable([
      ['Name', 'Link'],
      ['=1+1', 'a\tb'],
      ['Zoë\nRoth', 'x'],
    ]),
  ).toBe("Name\tLink\n'=1+1\ta b\nZoë Roth\tx")
})
