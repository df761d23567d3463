import { ActionIcon, Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconChevronDown, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Values } from '../../../model/complaint.ts'
import { stateField } from '../../../model/roles.ts'
import { fieldsOf } from '../../client/fields.ts'
import type { Side } from '../../client/kinds.ts'
import { useKind } from '../../client/use-kind.ts'
import { ArchivedMark } from '../../components/archived-mark.tsx'
import { LevelMark } from '../../components/level-mark.tsx'
import { NamedRecordLink } from '../../components/named-record-link.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { actorName } from '../../copy/journal.ts'
import { record } from '../../copy/record.ts'
import { valueWord } from '../../copy/records.ts'
import { LinkEditor, LinkSaid } from './link-said.tsx'
import styles from './record.module.css'
import { attributeOf, choiceOf, type Linked, othersOf } from './use-links.ts'

const words = record.links

export interface LinkRowProps {
  side: Side
  linked: Linked
  /** Of ending the link. */
  label: string
  /** Changes what the link says. */
  change?: (said: Values) => void
  end?: () => void
  before?: ReactNode
  below?: ReactNode
}

/** A linked record: what it is called, where it stands, and what it is to this one. */
export function LinkRow({ side, linked, label, change, end, before, below }: LinkRowProps) {
  const { other } = side
  const { id, reference, title, state, level, archived, attention, linkedBy } = linked
  const attribute = attributeOf(side, linked)
  const kind = useKind(other)
  const levelField = fieldsOf(kind).get(kind.level ?? '')
  return (
    <li>
      {before}
      <div>
        <NamedRecordLink
          kind={other}
          id={id}
          title={words.by(actorName(linkedBy))}
          reference={reference}
          name={title}
        />
        <div className={styles.linkFacts}>
          {attribute !== null &&
            (change && !archived ? (
              <ChoiceMenu side={side} linked={linked} change={change} />
            ) : (
              valueWord(attribute)
            ))}
          {state !== null && (
            <StateMark kind={kind} field={stateField(kind)!} state={state} asks={attention} inFull />
          )}
          {archived && <ArchivedMark />}
          {level !== null && (
            <span title={levelField!.title}>
              <VisuallyHidden>{levelField!.title} </VisuallyHidden>
              <LevelMark level={level} levels={levelField!.options} />
            </span>
          )}
          <LinkSaid side={side} linked={linked} />
        </div>
      </div>
      {change && !archived && othersOf(side).length > 0 && (
        <LinkEditor side={side} linked={linked} change={change} />
      )}
      {end && !archived && (
        <ActionIcon size={24} aria-label={label} title={label} onClick={end}>
          <IconX size={14} aria-hidden />
        </ActionIcon>
      )}
      {below}
    </li>
  )
}

function ChoiceMenu({
  side,
  linked,
  change,
}: {
  side: Side
  linked: Linked
  change: (said: Values) => void
}) {
  const { name, title, options, meanings } = choiceOf(side)!
  const is = attributeOf(side, linked)!
  return (
    <Menu position="bottom-start" shadow="sm" width={260} returnFocus>
      <Menu.Target>
        <UnstyledButton
          className={styles.role}
          aria-label={words.role(linked.reference, title, valueWord(is))}
        >
          {valueWord(is)} <IconChevronDown size={12} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {options.map((one) => (
          <Menu.Item
            key={one}
            aria-current={one === is ? true : undefined}
            rightSection={one === is && <IconCheck size={14} aria-hidden />}
            onClick={() => one !== is && change({ [name]: one })}
          >
            <ChoiceWords option={one} means={meanings?.[one]} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** A choice and what it means. */
export function ChoiceWords({ option, means }: { option: string; means: string | undefined }) {
  return (
    <>
      {valueWord(option)}
      {means !== undefined && (
        <Text size="xs" c="dimmed">
          {means}
        </Text>
      )}
    </>
  )
}
