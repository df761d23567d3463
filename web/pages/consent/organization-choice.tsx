import { Radio, Stack, Text } from '@mantine/core'
import type { ConsentRequest } from '../../client/consent.ts'
import { consent as words } from '../../copy/apps.ts'
import { roleWords } from '../../copy/roles.ts'

/** One grant is for one organization; a picker, where there is something to pick. */
export function OrganizationChoice({
  organizations,
  isFixed,
  chosen,
  choose,
  person,
}: {
  organizations: ConsentRequest['organizations']
  isFixed: boolean
  chosen: string
  choose: (id: string) => void
  person: string
}) {
  const one = organizations.find(({ id }) => id === chosen)
  if (isFixed || organizations.length === 1)
    return (
      <Stack gap={2}>
        <Text size="sm" fw={500}>
          {words.organization}
        </Text>
        <Text size="sm">
          {one?.name} <Text span c="dimmed">{`· ${words.as(person, roleOf(one?.role))}`}</Text>
        </Text>
        {isFixed && (
          <Text size="sm" c="dimmed">
            {words.fixed}
          </Text>
        )}
      </Stack>
    )
  return (
    <Radio.Group label={words.organization} value={chosen} onChange={choose} name="organization">
      <Stack gap={6} mt={6}>
        {organizations.map(({ id, name, role }) => (
          <Radio key={id} size="xs" value={id} label={`${name} · ${roleOf(role)}`} />
        ))}
      </Stack>
    </Radio.Group>
  )
}

const roleOf = (role: keyof typeof roleWords = 'viewer') => roleWords[role].toLowerCase()
