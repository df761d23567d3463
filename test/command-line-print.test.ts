import { expect, test } from 'vitest'
import { card } from '../client/command-line/print.ts'

/* A record on a terminal: a field a line, and what has fields of its own below its name. */

test('what is nested stands below its name, and so does a long list', () => {
  const record = {
    id: 'org_1',
    none: null,
    scopes: ['read:risks', 'write:risks'],
    features: { supplierRiskManagement: true, limits: { rows: 5 } },
    contacts: [
      { name: 'Ada', mail: 'ada@example.com' },
      { name: 'Bo', roles: [] },
    ],
    networks: Array.from({ length: 8 }, (_, index) => `2001:db8:${index}::/48`),
    empty: {},
  }
  expect(card('A record.', record)).toBe(`A record.

  id      org_1
  scopes  read:risks, write:risks
  features
    supplierRiskManagement  true
    limits
      rows  5
  contacts
    - name  Ada
      mail  ada@example.com
    - name   Bo
      roles  –
  networks
    - 2001:db8:0::/48
    - 2001:db8:1::/48
    - 2001:db8:2::/48
    - 2001:db8:3::/48
    - 2001:db8:4::/48
    - 2001:db8:5::/48
    - 2001:db8:6::/48
    - 2001:db8:7::/48
  empty   –`)
})
