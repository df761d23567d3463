import { ActionIcon, Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconChevronDown, IconX } from '@tabler/icons-react'
import { stateField } from '../../../model/roles.ts'
import { fieldsOf } from '../../client/fields.ts'
import type { Side } from '../../client/kinds.ts'
import { useKind } from '../../client/use-kind.ts'
import { LevelMark } from '../../components/level-mark.tsx'
import { NamedRecordLink } from '../../components/named-record-link.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { actorName } from '../../copy/journal.ts'
import { record } from '../../copy/record.ts'
import { valueWord } from '../../copy/records.ts'
import styles from './record.module.css'
import type { Linked } from './use-links.ts'

const words = record.links

/** A linked record: what it is called, where it stands, and what it is to this one. */
export function LinkRow({
  side,
  linked,
  label,
  change,
  end,
}: {
  side: Side
  linked: Linked
  /** Of ending the link. */
  label: string
  change?: (role: string) => void
  end?: () => void
}) {
  const { other } = side
  const { id, reference, title, state, level, role, linkedBy } = linked
  const kind = useKind(other)
  const levelField = fieldsOf(kind).get(kind.level ?? '')
  return (
    <li>
      <div>
        <NamedRecordLink
          kind={other}
          id={id}
          title={words.by(actorName(linkedBy))}
          reference={reference}
          name={title}
        />
        <div className={styles.linkFacts}>
          {role !== null &&
            (change ? <RoleMenu side={side} linked={linked} change={change} /> : valueWord(role))}
          {state !== null && <StateMark kind={kind} field={stateField(kind)!} state={state} />}
          {level !== null && (
            <span title={levelField!.title}>
              <VisuallyHidden>{levelField!.title} </VisuallyHidden>
              <LevelMark level={level} levels={levelField!.options} />
            </span>
          )}
        </div>
      </div>
      {end && (
        <ActionIcon variant="subtle" color="gray" size={24} aria-label={label} title={label} onClick={end}>
          <IconX size={14} aria-hidden />
        </ActionIcon>
      )}
    </li>
  )
}

function RoleMenu({
  side: { relation },
  linked: { reference, role },
  change,
}: {
  side: Side
  linked: Linked
  change: (role: string) => void
}) {
  return (
    <Menu position="bottom-start" shadow="sm" width={260} returnFocus>
      <Menu.Target>
        <UnstyledButton className={styles.role} aria-label={words.role(reference, valueWord(role!))}>
          {valueWord(role!)} <IconChevronDown size={12} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(relation.roles ?? {}).map(([one, means]) => (
          <Menu.Item
            key={one}
            aria-current={one === role ? true : undefined}
            rightSection={one === role && <IconCheck size={14} aria-hidden />}
            onClick={() => one !== role && change(one)}
          >
            <RoleWords role={one} means={means} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** A role and what it means. */
export function RoleWords({ role, means }: { role: string; means: string }) {
  return (
    <>
      {valueWord(role)}
      <Text size="xs" c="dimmed">
        {means}
      </Text>
    </>
  )
}
