import { Menu } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type ReactElement, useId } from 'react'
import type { DescribedKind } from '../../../model/described-kind.ts'
import type { Field } from '../../client/fields.ts'
import { isFixed } from '../../client/fields.ts'
import { scaleOf } from '../../client/risk-matrix.ts'
import { LevelMark } from '../../components/level-mark.tsx'
import { optionOf, records } from '../../copy/records.ts'

/** A choice, or yes and no: a list beside the value; what is chosen is sent at once. */
export function ChoiceEditor({
  kind,
  field,
  value,
  opened,
  choose,
  close,
  children,
}: {
  kind: DescribedKind
  field: Field
  value: unknown
  opened: boolean
  choose: (value: unknown) => void
  close: () => void
  children: ReactElement
}) {
  const help = useId()
  const { retired = [] } = field
  const options =
    field.form === 'flag'
      ? [true, false]
      : field.options.filter((one) => one === value || !retired.includes(one))
  const pick = (option: unknown) => (option === (value ?? null) ? close() : choose(option))
  return (
    <Menu
      opened={opened}
      onClose={close}
      position="bottom-start"
      shadow="sm"
      returnFocus
      menuItemTabIndex={0}
    >
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown
        miw={180}
        maw={280}
        mah={320}
        style={{ overflowY: 'auto' }}
        aria-label={field.title}
        {...(field.description ? { 'aria-describedby': help } : {})}
      >
        {field.description && <Menu.Label id={help}>{field.description}</Menu.Label>}
        {!isFixed(kind, field.name) && (
          <Menu.Item c="dimmed" rightSection={value == null && <Chosen />} onClick={() => pick(null)}>
            {records.noValue}
          </Menu.Item>
        )}
        {options.map((option) => (
          <Menu.Item
            key={String(option)}
            rightSection={option === value && <Chosen />}
            aria-current={option === value ? true : undefined}
            onClick={() => pick(option)}
          >
            {field.isLevel ? (
              <LevelMark level={String(option)} levels={scaleOf(field)} />
            ) : (
              wordOf(field, option)
            )}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

const Chosen = () => <IconCheck size={14} aria-hidden />

const wordOf = (field: Field, option: unknown): string =>
  typeof option === 'boolean' ? (option ? records.yes : records.no) : optionOf(field, String(option))
