import { Button, Code, Group, Modal, ScrollArea, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { csvHead, csvRow } from '../../../model/csv.ts'
import { call, type Output } from '../../client/calls.ts'
import { readAgain } from '../../client/use-answer.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { guestPasses } from '../../copy/guest-passes.ts'
import { asTable } from './link-lists.ts'

const words = guestPasses.handingOver

type Pass = Output<'listGuestPasses'>['data'][number]

interface Made {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly link: string
}

/** Makes a link for each guest who has yet to acknowledge, where the service sends no mail, to be handed over together. */
export function HandOverDialog({ recordId, close }: { recordId: string; close: () => void }) {
  const guarded = useGuardedCall()
  const [made, setMade] = useState<readonly Made[]>([])
  const [isCopied, setIsCopied] = useState(false)
  const making = useMutation({
    mutationFn: async () => {
      const done = new Set(made.map(({ id }) => id))
      for (const { id, name, address } of await openPasses(recordId)) {
        if (done.has(id)) continue
        const { link } = await guarded('sendGuestLink', { id })
        if (link !== null) setMade((before) => [...before, { id, name, email: address, link }])
      }
    },
    onSettled: () => readAgain('listGuestPasses'),
  })
  const rows = made.map(({ name, email, link }) => [name, email, link])
  const head = Object.values(words.columns)
  const isShown = making.isSuccess || made.length > 0
  return (
    <Modal
      opened
      onClose={close}
      title={words.title}
      size="xl"
      withCloseButton={false}
      closeOnClickOutside={made.length === 0}
      closeOnEscape={made.length === 0}
    >
      <Stack>
        <Text size="sm" role="status">
          {making.isPending
            ? words.working(made.length)
            : !isShown
              ? words.text
              : made.length === 0
                ? words.none
                : words.made(made.length)}
        </Text>
        <ProblemAlert error={making.error} />
        {made.length > 0 && (
          <ScrollArea.Autosize mah="50vh">
            <DataTable label={words.title} rows={made} columns={COLUMNS} />
          </ScrollArea.Autosize>
        )}
        <Group justify="flex-end" gap="xs">
          {made.length > 0 && !making.isPending && (
            <>
              <Button
                variant="default"
                onClick={() =>
                  navigator.clipboard.writeText(asTable([head, ...rows])).then(() => setIsCopied(true))
                }
              >
                {isCopied ? words.copied : words.copy}
              </Button>
              <Button variant="default" onClick={() => save([csvHead(head), ...rows.map(csvRow)].join(''))}>
                {words.save}
              </Button>
            </>
          )}
          {making.isSuccess ? (
            <Button onClick={close}>{words.done}</Button>
          ) : (
            <>
              <Button variant="default" onClick={close} disabled={making.isPending}>
                {words.cancel}
              </Button>
              <Button loading={making.isPending} onClick={() => making.mutate()} data-autofocus>
                {words.submit}
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}

const COLUMNS: readonly Column<Made>[] = [
  { label: words.columns.name, cell: ({ name }) => <bdi>{name}</bdi> },
  { label: words.columns.email, cell: ({ email }) => <bdi>{email}</bdi> },
  {
    label: words.columns.link,
    cell: ({ link }) => <Code style={{ whiteSpace: 'normal', wordBreak: 'break-all' }}>{link}</Code>,
  },
]

/** All passes that still open something. */
async function openPasses(recordId: string): Promise<readonly Pass[]> {
  const passes: Pass[] = []
  let cursor: string | null | undefined
  do {
    const page: Output<'listGuestPasses'> = await call('listGuestPasses', {
      ...{ recordId, limit: 100 },
      ...(cursor ? { cursor } : {}),
    })
    passes.push(...page.data.filter(({ state }) => state === 'open'))
    cursor = page.nextCursor
  } while (cursor)
  return passes
}

function save(csv: string): void {
  const url = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }))
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = words.fileName
  anchor.click()
  URL.revokeObjectURL(url)
}
