import { Badge } from '@mantine/core'
import { records } from '../copy/records.ts'

/** Beside what a record is called, where it stands among others that are not archived. */
export const ArchivedMark = () => (
  <Badge size="sm" variant="default" tt="none" fw={500}>
    {records.archived.title}
  </Badge>
)
