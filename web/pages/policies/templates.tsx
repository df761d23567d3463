import { Anchor, Button, Group, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { Output } from '../../client/calls.ts'
import { fetchCode } from '../../client/fetch-code.ts'
import { kindIndex } from '../../client/kinds.ts'
import { listAddress } from '../../client/list-address.ts'
import { mayDo, readRecordsAgain } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { readAgain, useAnswer } from '../../client/use-answer.ts'
import { useKind } from '../../client/use-kind.ts'
import { AppLink } from '../../components/app-link.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { RecordLink } from '../../components/record-link.tsx'
import { policies } from '../../copy/policies.ts'
import styles from './policies.module.css'

const words = policies.templates

const TemplateReader = lazy(() =>
  fetchCode(() => import('./template-reader.tsx')).then((code) => ({ default: code.TemplateReader })),
)

type Template = Output<'listPolicyTemplates'>['data'][number] & { id: string }

/** Texts to begin with: what each answers, which are here already, and the way to make one a policy. */
export function PolicyTemplatesPage() {
  const kind = useKind(kindIndex.policy)
  const mayAdd = mayDo(kind, 'create', useSignedIn())
  const templates = useAnswer('listPolicyTemplates', {})
  const adding = useAdd()
  const [reading, setReading] = useState<Template | null>(null)
  const columns: Column<Template>[] = [
    {
      label: words.columns.title,
      cell: (template) => (
        <>
          {template.title}
          <div className={styles.about}>{template.about}</div>
        </>
      ),
    },
    {
      label: words.columns.answers,
      cell: ({ answers }) => {
        const [all, linked] = [answers, answers.filter(({ isActive }) => isActive)].map((some) =>
          some.reduce((sum, { requirementKeys }) => sum + requirementKeys.length, 0),
        ) as [number, number]
        return words.answered(all, linked)
      },
    },
    {
      label: words.columns.acts,
      hidden: true,
      cell: (template) => (
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <Button
            variant="subtle"
            size="compact-md"
            aria-label={words.readOne(template.title)}
            onClick={() => setReading(template)}
          >
            {words.read}
          </Button>
          {template.policyId !== null ? (
            <RecordLink kind={kind} id={template.policyId}>
              {words.there}
            </RecordLink>
          ) : (
            mayAdd && (
              <Button
                variant="default"
                size="compact-md"
                aria-label={words.addOne(template.title)}
                loading={adding.isPending && adding.variables === template.key}
                disabled={adding.isPending}
                onClick={() => adding.mutate(template.key)}
              >
                {words.add}
              </Button>
            )
          )}
        </Group>
      ),
    },
  ]
  return (
    <Stack gap="lg">
      <PageHead
        title={words.title}
        text={words.about}
        action={
          <Anchor component={AppLink} href={listAddress(kind)} size="sm">
            {words.register}
          </Anchor>
        }
      />
      <ProblemAlert error={adding.error} />
      <Loaded query={templates} lines={12}>
        {({ data }) => (
          <DataTable
            label={words.title}
            columns={columns}
            rows={data.map((one) => ({ ...one, id: one.key }))}
          />
        )}
      </Loaded>
      {reading && (
        <Suspense>
          <TemplateReader
            templateKey={reading.key}
            title={reading.title}
            add={mayAdd && reading.policyId === null ? () => adding.mutate(reading.key) : null}
            isAdding={adding.isPending}
            close={() => setReading(null)}
          />
        </Suspense>
      )}
    </Stack>
  )
}

/** Makes a policy of a template, and goes to it. */
function useAdd() {
  const guarded = useGuardedCall()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async (templateKey: string) => {
      const { id } = (await guarded('createPolicyFromTemplate', { templateKey })) as { id: string }
      await Promise.all([readAgain('listPolicyTemplates'), readRecordsAgain(kindIndex.policy)])
      await navigate({ to: `/${kindIndex.policy.page}/${id}` as never })
    },
  })
}
