import { Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../client/calls.ts'
import { saveFrom, uploadFile } from '../../client/uploads.ts'
import { DangerDialog } from '../../components/danger-dialog.tsx'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { UploadList } from '../../components/uploads.tsx'
import { policies } from '../../copy/policies.ts'
import { sizeOf } from '../../copy/uploads.ts'
import styles from './policies.module.css'
import type { Version } from './version.ts'

const words = policies.file

/** What is read as it is, and handed out. */
const ACCEPTED = '.pdf,.docx'

/** A version that is a file: what it is called, how large it is, and the way to it. */
export function VersionFile({ version: { id, file } }: { version: Version }) {
  const saving = useMutation({
    mutationFn: async () => saveFrom((await call('downloadPolicyVersionFile', { id })).url),
  })
  return (
    <Stack gap="xs" align="start">
      <Group gap="sm">
        <Button
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={saving.isPending}
          onClick={() => saving.mutate()}
        >
          {words.download}
        </Button>
        <Text size="sm" className={styles.fileName}>
          <bdi>{file!.name}</bdi> · {sizeOf(file!.bytes)}
        </Text>
      </Group>
      <ProblemAlert error={saving.error} />
    </Stack>
  )
}

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

/** Two versions of which one is a file at least: whether they are the same, and that words are not compared. */
export function FilesCompared({ from, to }: { from: Version; to: Version }) {
  const isSame = from.file !== null && from.file.sha256 === to.file?.sha256
  return (
    <article className={styles.sheet} aria-label={policies.compare.label(from.label, to.label)}>
      <Stack gap="sm">
        <Text size="sm" role="status">
          {isSame ? words.same : words.notByWord}
        </Text>
        {[from, to].map(({ id, label, file, contentSha256 }) => (
          <Text key={id} size="sm" className={styles.foot}>
            {label}:{' '}
            {file ? (
              <>
                <bdi>{file.name}</bdi> · {sizeOf(file.bytes)} · <code>{file.sha256}</code>
              </>
            ) : (
              <>
                {words.text} {contentSha256 && <code>{contentSha256}</code>}
              </>
            )}
          </Text>
        ))}
      </Stack>
    </article>
  )
}
