import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Uploads } from '../../../model/kind.ts'
import { type CallName, call, type Input, type Output } from '../../client/calls.ts'
import { queries } from '../../client/queries.ts'
import type { AnyRecord } from '../../client/records.ts'

/** A file as the record has it. */
export interface FileOfRecord {
  id: string
  name: string
  bytes: number
  sha256: string
  uploadedAt: string
}

/** What became of it since. */
export type FileNow = Output<'listEvidenceFiles'>['data'][number]

/** How often it is asked whether the scanner has answered, in milliseconds. */
const SCANNED_EVERY = 3_000

/** What became of the files of a record and of its revisions, and how something is done with one of them. */
export function useFilesNow(uploads: Uploads, record: AnyRecord) {
  const [error, setError] = useState<unknown>(null)
  const { field, list, revisions } = uploads
  const files = (record[field] ?? []) as FileOfRecord[]
  const queryKey = [list, { id: record.id }, files.map(({ id }) => id)]
  const { data } = useQuery({
    queryKey,
    queryFn: () => read(list, record.id),
    enabled: files.length > 0 || (revisions !== undefined && record[revisions.current] !== null),
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'scanning') ? SCANNED_EVERY : false,
    placeholderData: keepPreviousData,
  })
  return {
    files,
    /** Undefined of one of which it is not known yet. */
    nowOf: (id: string): FileNow | undefined => data?.find((file) => file.id === id),
    readAgain: () => void queries.invalidateQueries({ queryKey }),
    /** What the last act was refused for. */
    error,
    attempt: (work: Promise<unknown>) => {
      setError(null)
      work.catch(setError)
    },
  }
}

export type FilesNow = ReturnType<typeof useFilesNow>

const read = async (list: string, id: string): Promise<readonly FileNow[]> =>
  ((await call(list as CallName, { id } as Input<CallName>)) as unknown as { data: FileNow[] }).data
