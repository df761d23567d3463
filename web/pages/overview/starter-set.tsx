import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useAnswer } from '../../client/use-answer.ts'
import { usePreloaded } from '../../client/use-preloaded.ts'
import { overview } from '../../copy/overview.ts'
import styles from './first-steps.module.css'

const words = overview.starter

/** For admins: risks and controls to begin with, and the way to be rid of them. */
export function StarterSet() {
  const { data } = useAnswer('getStarterSet', {})
  const [open, setOpen] = useState<'add' | 'remove' | null>(null)
  const [stays, setStays] = useState<readonly string[]>([])
  const dialogs = usePreloaded('starter set', () => import('./starter-set/dialogs.tsx'))
  const items = data ? [...data.risks, ...data.controls] : []
  const isTaken = items.some(({ isHere }) => isHere)
  const close = () => setOpen(null)
  return (
    <div className={styles.starter}>
      <div>
        <Text size="sm" fw={500}>
          {words.title}
        </Text>
        <Text size="sm" c="dimmed" role="status">
          {stays.length > 0 ? words.stays(stays) : data && isTaken ? words.left(data.untouched) : words.text}
        </Text>
      </div>
      <Group gap="xs">
        {data && data.untouched > 0 && (
          <Button variant="default" size="compact-md" onClick={() => setOpen('remove')}>
            {words.remove}
          </Button>
        )}
        {items.some(({ isHere }) => !isHere) && (
          <Button variant={isTaken ? 'default' : 'filled'} size="compact-md" onClick={() => setOpen('add')}>
            {words.open}
          </Button>
        )}
      </Group>
      {dialogs && data && open === 'add' && (
        <dialogs.AddStarterSet
          offered={data}
          close={() => {
            setStays([])
            close()
          }}
        />
      )}
      {dialogs && data && open === 'remove' && (
        <dialogs.RemoveStarterSet untouched={data.untouched} kept={setStays} close={close} />
      )}
    </div>
  )
}
