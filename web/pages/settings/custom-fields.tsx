import { ActionIcon, Button, Menu, Stack, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { capital } from '../../../model/capital.ts'
import type { Output } from '../../client/calls.ts'
import { call } from '../../client/calls.ts'
import { customFieldsQuery } from '../../client/custom-fields.ts'
import { everyKind } from '../../client/kinds.ts'
import { readAgain } from '../../client/use-answer.ts'
import { Chip } from '../../components/chip.tsx'
import { DangerDialog } from '../../components/danger-dialog.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { Section } from '../../components/section.tsx'
import { customFieldSettings as words } from '../../copy/custom-field-settings.ts'
import { registerWords } from '../../copy/records.ts'
import { CustomFieldForm } from './custom-fields/form.tsx'

type CustomField = Output<'listCustomFields'>['data'][number]
type Act = 'edit' | 'retire' | 'remove'

/** What the organization has defined of its custom fields. */
export function CustomFieldsPage() {
  const [isAdding, setIsAdding] = useState(false)
  const [doing, setDoing] = useState<{ act: Act; field: CustomField } | null>(null)
  const listed = useQuery(customFieldsQuery)
  const change = async (field: CustomField, given: object) => {
    await call('updateCustomField', { id: field.id, ifMatch: field.version, ...given })
    await readAgain('listCustomFields')
  }
  const restoring = useMutation({ mutationFn: (field: CustomField) => change(field, { retired: false }) })
  const close = () => setDoing(null)
  const columns: Column<CustomField>[] = [
    { label: words.columns.field, cell: (field) => <Name {...field} /> },
    { label: words.columns.type, cell: ({ type }) => words.types[type] },
    { label: words.columns.kinds, cell: ({ kinds }) => kindWords(kinds) },
    { label: words.columns.required, cell: ({ required }) => words.required[required ? 'true' : 'false'] },
    {
      label: words.columns.state,
      cell: ({ retired }) => (
        <Chip look={retired ? 'quiet' : 'good'}>{words.states[retired ? 'retired' : 'active']}</Chip>
      ),
    },
    {
      label: words.actions,
      hidden: true,
      cell: (field) => (
        <Actions
          field={field}
          begin={(act) => setDoing({ act, field })}
          restore={() => restoring.mutate(field)}
        />
      ),
    },
  ]
  return (
    <Stack gap="lg">
      <PageHead
        title={words.title}
        text={words.text}
        action={<Button onClick={() => setIsAdding(true)}>{words.add}</Button>}
      />
      <ProblemAlert error={restoring.error} />
      <Loaded query={listed}>
        {(fields) =>
          fields.length > 0 ? (
            <DataTable
              label={words.list}
              rows={inOrder(fields)}
              columns={columns}
              isOver={({ retired }) => retired}
            />
          ) : (
            <Section title={words.empty.title} text={words.empty.text} />
          )
        }
      </Loaded>
      {isAdding && (
        <CustomFieldForm
          send={async (given) => {
            await call('createCustomField', given)
            await readAgain('listCustomFields')
            setIsAdding(false)
          }}
          close={() => setIsAdding(false)}
        />
      )}
      {doing?.act === 'edit' && (
        <CustomFieldForm
          field={doing.field}
          send={async ({ name: _name, type: _type, ...given }) => {
            await change(doing.field, given)
            close()
          }}
          close={close}
        />
      )}
      {doing?.act === 'retire' && (
        <DangerDialog
          title={words.retiring.title(doing.field.label)}
          text={words.retiring.text}
          verb={words.retire}
          act={() => change(doing.field, { retired: true })}
          close={close}
        />
      )}
      {doing?.act === 'remove' && (
        <DangerDialog
          title={words.removing.title(doing.field.label)}
          text={words.removing.text}
          verb={words.remove}
          act={async () => {
            await call('deleteCustomField', { id: doing.field.id, ifMatch: doing.field.version })
            await readAgain('listCustomFields')
          }}
          close={close}
        />
      )}
    </Stack>
  )
}

/** What is retired stands last. */
const inOrder = (fields: readonly CustomField[]): CustomField[] =>
  fields.toSorted((one, other) => Number(one.retired) - Number(other.retired))

const kindWords = (names: readonly string[]): string =>
  everyKind.flatMap((kind) => (names.includes(kind.name) ? capital(registerWords(kind).many) : [])).join(', ')

function Name({ label, name, description }: CustomField) {
  return (
    <div>
      <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
        {label}{' '}
        <Text span size="xs" c="dimmed" ff="monospace">
          {name}
        </Text>
      </Text>
      {description && (
        <Text size="xs" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {description}
        </Text>
      )}
    </div>
  )
}

function Actions({
  field: { label, retired },
  begin,
  restore,
}: {
  field: CustomField
  begin: (act: Act) => void
  restore: () => void
}) {
  return (
    <Menu position="bottom-end" shadow="sm" width={200}>
      <Menu.Target>
        <ActionIcon aria-label={words.actionsFor(label)}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => begin('edit')}>{words.edit}</Menu.Item>
        {retired ? (
          <Menu.Item onClick={restore}>{words.restore}</Menu.Item>
        ) : (
          <Menu.Item onClick={() => begin('retire')}>{words.retire}</Menu.Item>
        )}
        <Menu.Item color="red" onClick={() => begin('remove')}>
          {words.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
