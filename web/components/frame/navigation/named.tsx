import { Tooltip } from '@mantine/core'
import type { ReactElement } from 'react'

/** A picture whose word shows when one points at it. */
export const Named = ({ label, children }: { label: string; children: ReactElement }) => (
  <Tooltip label={label} position="right" events={{ hover: true, focus: true, touch: false }}>
    {children}
  </Tooltip>
)
