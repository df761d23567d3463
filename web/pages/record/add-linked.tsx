import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { fetchCode } from '../../client/fetch-code.ts'
import type { Side } from '../../client/kinds.ts'
import type { AnyRecord } from '../../client/records.ts'
import { useKind } from '../../client/use-kind.ts'
import { record as words } from '../../copy/record.ts'
import { records } from '../../copy/records.ts'
import styles from './record.module.css'

const CreateDrawer = lazy(() =>
  fetchCode(() => import('../../components/record-form.tsx')).then((all) => ({ default: all.CreateDrawer })),
)

/** Adds a record of the kind at the other end, to be linked at once. */
export function AddLinked({ side, added }: { side: Side; added: (record: AnyRecord) => void }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        variant="default"
        size="compact-xs"
        className={styles.linkAct}
        leftSection={<IconPlus size={12} aria-hidden />}
        aria-label={records.form.submit(side.noun)}
        onClick={() => setIsOpen(true)}
      >
        {words.links.addNew}
      </Button>
      {isOpen && (
        <Suspense>
          <Drawer
            side={side}
            close={() => setIsOpen(false)}
            added={(record) => {
              setIsOpen(false)
              added(record)
            }}
          />
        </Suspense>
      )}
    </>
  )
}

function Drawer({ side, ...acts }: { side: Side; close: () => void; added: (record: AnyRecord) => void }) {
  return <CreateDrawer kind={useKind(side.other)} {...acts} />
}
