import { Badge, type BadgeProps } from '@mantine/core'
import {
  IconCircleCheck,
  IconCircleDashed,
  IconCircleMinus,
  IconCircleX,
  IconClockHour4,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'

export type Look = keyof typeof LOOKS

/** How something stands: a shape, a colour and a word, the same on every page. */
export function Chip({
  look,
  children,
  ...rest
}: BadgeProps & { look: Look; children: ReactNode; tabIndex?: number }) {
  const { Shape, color } = LOOKS[look]
  return (
    <Badge
      style={{ flex: 'none', minWidth: 'max-content' }}
      leftSection={<Shape size={14} color={color} aria-hidden style={{ display: 'block' }} />}
      {...rest}
    >
      {children}
    </Badge>
  )
}

const LOOKS = {
  good: { Shape: IconCircleCheck, color: 'var(--good)' },
  bad: { Shape: IconCircleX, color: 'var(--mantine-color-error)' },
  underWay: { Shape: IconCircleDashed, color: 'var(--mantine-color-anchor)' },
  waits: { Shape: IconClockHour4, color: 'var(--waits)' },
  quiet: { Shape: IconCircleMinus, color: 'var(--mantine-color-dimmed)' },
}
