import { Text } from '@mantine/core'
import { records } from '../copy/records.ts'

/** With what a record is called, where it stands among others that are not archived. */
export const ArchivedMark = () => (
  <Text span size="xs" c="dimmed" mr={6}>
    {records.archived.title}
  </Text>
)
