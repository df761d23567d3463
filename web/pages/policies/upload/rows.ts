import { useRef, useState } from 'react'
import { kindIndex } from '../../../client/kinds.ts'
import { isUnreached } from '../../../client/problem.ts'
import { type AnyRecord, type Principal, readRecordsAgain, recordCall } from '../../../client/records.ts'
import { forgetUploads, uploadFile } from '../../../client/uploads.ts'
import { useGuardedCall } from '../../../components/identity-guard.tsx'
import { chosenFiles } from './chosen-files.ts'
import { titleOf, typeOf } from './guess.ts'
import { type PolicyFile, readPolicyFile } from './read-file.ts'

export const FILES_AT_MOST = 40

/** Under which their files are on their way. */
const PLACE = 'policies/upload'

/** A file that is to become a policy, and how far it is. */
export interface Row {
  readonly id: string
  readonly file: File
  readonly state: 'reading' | 'unread' | 'ready' | 'sending' | 'added'
  readonly isTaken: boolean
  readonly name: string
  readonly documentType: string
  /** What was read of it; none of what stays a file. */
  readonly content: string | null
  /** What of the file is not in that. */
  readonly lost: PolicyFile['lost']
  readonly notes: readonly string[]
  /** Of a file that is there already: it is not sent again. */
  readonly fileId: string | null
  /** The policy that has the name already. */
  readonly known: AnyRecord | null
  readonly error: unknown
  readonly added: AnyRecord | null
  /** Under which it is sent, so that no broken line makes two policies of one file. */
  readonly onceKey: string
}

export interface ForAll {
  readonly owner: Principal | null
  readonly approver: Principal | null
}

/** Whether it is sent with the next press of the button. */
export const isToAdd = ({ state, isTaken, name }: Row): boolean =>
  state === 'ready' && isTaken && name.trim() !== ''

/** The files that were chosen, and what is done with them. */
export function useRows() {
  const [rows, setRows] = useState<readonly Row[]>([])
  const [leftOut, setLeftOut] = useState(0)
  const [isAdding, setIsAdding] = useState(false)
  const guarded = useGuardedCall()
  const now = useRef(rows)
  const set = (next: readonly Row[]) => {
    now.current = next
    setRows(next)
  }
  const change = (id: string, values: Partial<Row>) =>
    set(now.current.map((row) => (row.id === id ? { ...row, ...values } : row)))

  const take = async (chosen: readonly File[]) => {
    const files = await chosenFiles(chosen, FILES_AT_MOST)
    const isNew = (file: File) => !now.current.some((row) => isSameFile(row.file, file))
    const fresh = files.filter(isNew)
    const taken = fresh.slice(0, Math.max(0, FILES_AT_MOST - now.current.length))
    setLeftOut(fresh.length - taken.length)
    const begun = taken.map(begin)
    set([...now.current, ...begun])
    for (const { id, file } of begun)
      await readPolicyFile(file).then(
        async (read) => {
          const ready = await readyOf(file, read)
          // Of several files of one name the first is taken, until somebody says otherwise.
          const hasTwin = now.current.some(
            (one) => one.id !== id && one.isTaken && one.name !== '' && isSameName(one.name, ready.name),
          )
          change(id, hasTwin ? { ...ready, isTaken: false } : ready)
        },
        (error: unknown) => change(id, { state: 'unread', isTaken: false, error }),
      )
  }

  const add = async (forAll: ForAll) => {
    setIsAdding(true)
    try {
      for (const { id } of now.current.filter(isToAdd)) {
        const row = now.current.find((one) => one.id === id)!
        change(id, { state: 'sending', error: null })
        try {
          const fileId = row.content === null ? (row.fileId ?? (await uploadFile(PLACE, row.file)).id) : null
          change(id, { fileId })
          const given = givenOf({ ...row, fileId }, forAll)
          const added = await guarded('createPolicyFromFile', given, { onceKey: row.onceKey })
          change(id, { state: 'added', added: added as never })
        } catch (error) {
          // What was refused is another request once it is set right; what was not answered is the same one.
          const onceKey = isUnreached(error) ? row.onceKey : crypto.randomUUID()
          change(id, { state: 'ready', error, onceKey })
          if (isUnreached(error)) break
        }
      }
    } finally {
      setIsAdding(false)
      forgetUploads(PLACE)
      await readRecordsAgain(kindIndex.policy)
    }
  }

  return {
    rows,
    leftOut,
    isAdding,
    take: (files: readonly File[]) => void take(files),
    change,
    /** Whether the name is one of a policy that is there already. */
    lookUp: (id: string, name: string) => void named(name).then((known) => change(id, { known })),
    add,
    startOver: () => {
      set([])
      setLeftOut(0)
    },
  }
}

const begin = (file: File): Row => ({
  ...{ id: crypto.randomUUID(), file, state: 'reading', isTaken: true, name: '', documentType: 'policy' },
  ...{
    content: null,
    lost: [],
    notes: [],
    fileId: null,
    known: null,
    error: null,
    added: null,
    onceKey: crypto.randomUUID(),
  },
})

async function readyOf(
  file: File,
  { title, content, lost, notes = [] }: PolicyFile,
): Promise<Partial<Row> & Pick<Row, 'name'>> {
  const known = await named(title)
  return {
    ...{ state: 'ready', name: title, documentType: typeOf(title, titleOf(file.name)) },
    ...{ content, lost, notes, known },
    isTaken: known === null,
  }
}

const isSameFile = (one: File, other: File): boolean =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified

/** The policy of a name, where there is one. That it is not known does not keep anybody from adding another. */
async function named(name: string): Promise<AnyRecord | null> {
  if (name.trim() === '') return null
  const found = await recordCall(kindIndex.policy, 'list', { q: name.trim(), limit: 20 }).catch(() => null)
  return found?.data.find((one) => isSameName(String(one.name), name)) ?? null
}

export const isSameName = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase()

const givenOf = ({ file, name, documentType, content, fileId }: Row, { owner, approver }: ForAll) => ({
  ...{ fileName: file.name, name: name.trim() },
  documentType: documentType as 'policy',
  ...(fileId === null ? { content: content! } : { fileId }),
  ...(owner && { owner: { type: owner.type, refId: owner.refId } }),
  ...(approver && { approver: { type: approver.type, refId: approver.refId } }),
})
