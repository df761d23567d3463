import { ActionIcon, Text } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import type { Side } from '../../client/kinds.ts'
import { Loaded } from '../../components/loaded.tsx'
import { MorePages } from '../../components/more-pages.tsx'
import { record } from '../../copy/record.ts'
import { sideWords } from '../../copy/records.ts'
import { LinkRow, type LinkRowProps } from './link-row.tsx'
import styles from './record.module.css'
import { useLinks } from './use-links.ts'

const words = record.links

/** A row of a relation from a kind to itself: what is linked with that record in turn opens beneath it, as a tree. */
export function Branch(props: LinkRowProps) {
  const { side, linked } = props
  const [isOpen, setIsOpen] = useState(false)
  const { many } = sideWords(side)
  const label = words.branch(many, linked.reference)
  return (
    <LinkRow
      {...props}
      before={
        <ActionIcon
          size={24}
          aria-expanded={isOpen}
          aria-label={label}
          title={label}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
        </ActionIcon>
      }
      below={isOpen && <Below side={side} id={linked.id} reference={linked.reference} />}
    />
  )
}

function Below({ side, id, reference }: { side: Side; id: string; reference: string }) {
  const { links } = useLinks(side, id)
  const { many } = sideWords(side)
  const rows = links.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <div className={styles.branch}>
      <Loaded query={links} lines={1}>
        {() =>
          rows.length === 0 ? (
            <Text size="xs" c="dimmed">
              {words.noneBelow(many)}
            </Text>
          ) : (
            <ul aria-label={words.branch(many, reference)}>
              {rows.map((row) => (
                <Branch key={row.id} side={side} linked={row} label="" />
              ))}
            </ul>
          )
        }
      </Loaded>
      <MorePages of={links} />
    </div>
  )
}
