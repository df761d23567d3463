import { ActionIcon, Button } from '@mantine/core'
import { IconTrash, IconUsers } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { call, type Output } from '../../client/calls.ts'
import { fetchCode } from '../../client/fetch-code.ts'
import { listAddress } from '../../client/list-address.ts'
import { stringifySearch } from '../../client/search.ts'
import { readAgain, useAnswer } from '../../client/use-answer.ts'
import { useOwnIds, waitingFor } from '../../client/waiting.ts'
import { registerWords } from '../../copy/records.ts'
import { register } from '../../copy/register.ts'
import { AppLink } from '../app-link.tsx'
import styles from './saved-views.module.css'
import { defaultSort, searchOf, type View } from './view.ts'

const SaveView = lazy(() =>
  fetchCode(() => import('./save-view.tsx')).then((all) => ({ default: all.SaveView })),
)
const DangerDialog = lazy(() =>
  fetchCode(() => import('../danger-dialog.tsx')).then((all) => ({ default: all.DangerDialog })),
)

const words = register.views

type SavedView = Output<'listSavedViews'>['data'][number]

/** The views that were saved, as links to them, and the way to save the one that is looked at. */
export function SavedViews({ kind, view }: { kind: DescribedKind; view: View }) {
  const { data } = useAnswer('listSavedViews', { kind: kind.name })
  const [isSaving, setIsSaving] = useState(false)
  const [deleted, setDeleted] = useState<SavedView | null>(null)
  const query = stringifySearch(searchOf(view, defaultSort(kind))).replace('?', '')
  const views = data?.data ?? []
  const ids = useOwnIds(kind.waits !== undefined)
  const mine = (ids ? (kind.waits ?? []) : []).map((waiting) => ({
    act: waiting.act,
    href: listAddress(kind, waitingFor(waiting, ids!)),
  }))
  const current = views.find((one) => one.query === query)
  const isMine = mine.some(({ href }) => href.endsWith(`?${query}`))
  const canSave = query !== '' && !current && !isMine
  if (views.length === 0 && !canSave && mine.length === 0) return null
  return (
    <nav className={styles.views} aria-label={words.label}>
      {(views.length > 0 || mine.length > 0) && (
        <ViewLink href={`/${kind.page}`} isCurrent={query === ''}>
          {words.all(registerWords(kind).many)}
        </ViewLink>
      )}
      {mine.map(({ act, href }) => (
        <ViewLink key={act} href={href} isCurrent={href.endsWith(`?${query}`)}>
          {words.mine[act]}
        </ViewLink>
      ))}
      {views.map((one) => (
        <ViewLink key={one.id} href={`/${kind.page}?${one.query}`} isCurrent={one === current}>
          {one.isShared && <IconUsers size={14} aria-label={words.shared} />}
          <bdi>{one.name}</bdi>
        </ViewLink>
      ))}
      {current?.mayDelete && (
        <ActionIcon
          size="sm"
          aria-label={words.delete(current.name)}
          title={words.delete(current.name)}
          onClick={() => setDeleted(current)}
        >
          <IconTrash size={14} aria-hidden />
        </ActionIcon>
      )}
      {canSave && (
        <Button size="compact-xs" variant="subtle" onClick={() => setIsSaving(true)}>
          {words.save}
        </Button>
      )}
      <Suspense>
        {isSaving && <SaveView kind={kind} query={query} close={() => setIsSaving(false)} />}
        {deleted && (
          <DangerDialog
            title={words.confirm.title(deleted.name)}
            text={deleted.isShared ? words.confirm.shared : words.confirm.own}
            verb={words.confirm.submit}
            act={async () => {
              await call('deleteSavedView', { id: deleted.id })
              await readAgain('listSavedViews')
            }}
            close={() => setDeleted(null)}
          />
        )}
      </Suspense>
    </nav>
  )
}

function ViewLink({
  href,
  isCurrent,
  children,
}: {
  href: string
  isCurrent: boolean
  children: React.ReactNode
}) {
  return (
    <AppLink href={href} className={styles.view} aria-current={isCurrent ? 'page' : undefined}>
      {children}
    </AppLink>
  )
}
