import { Button, FileButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { uploadFile } from '../../client/uploads.ts'
import { DangerDialog } from '../../components/danger-dialog.tsx'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { UploadList } from '../../components/uploads.tsx'
import { policies } from '../../copy/policies.ts'
import type { Version } from './version.ts'

const words = policies.file

/** What is read as it is, and handed out. */
const ACCEPTED = '.pdf,.docx'

/**
 * Puts a file in place of what a version is.
 * @param begin the version that it goes into, where there is none in the making yet: its id
 */
export function PutFile({
  version,
  begin,
  done,
}: {
  version: Version | null
  begin: () => Promise<string | null>
  done: (version: unknown) => Promise<unknown>
}) {
  const guarded = useGuardedCall()
  const place = `policy file ${version?.id ?? 'new'}`
  const [asking, setAsking] = useState<File | null>(null)
  const putting = useMutation({
    mutationFn: async (file: File) => {
      const sent = await uploadFile(place, file)
      const id = version?.id ?? (await begin())
      if (id !== null) await done(await guarded('putPolicyVersionFile', { id, fileId: sent.id }))
    },
  })
  const isWithApprovers = version !== null && version.status !== 'draft'
  const take = (file: File | null) => {
    if (!file) return
    if (version?.content || isWithApprovers) setAsking(file)
    else putting.mutate(file)
  }
  return (
    <>
      <FileButton accept={ACCEPTED} disabled={putting.isPending} onChange={take}>
        {(props) => (
          <Button
            {...props}
            variant="default"
            size="compact-md"
            loading={putting.isPending}
            leftSection={<IconUpload size={14} aria-hidden />}
          >
            {version?.file ? words.replace : words.put}
          </Button>
        )}
      </FileButton>
      {putting.isPending && <UploadList place={place} />}
      <ProblemAlert error={putting.error} />
      {asking && (
        <DangerDialog
          title={version?.file ? words.instead.another : words.instead.title}
          text={isWithApprovers ? words.instead.voids : words.instead.text(asking.name)}
          verb={words.instead.verb}
          act={async () => putting.mutate(asking)}
          close={() => setAsking(null)}
        />
      )}
    </>
  )
}
