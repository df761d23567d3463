import { Button, Group, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../client/calls.ts'
import type { AnyRecord } from '../../client/records.ts'
import { saveFrom } from '../../client/uploads.ts'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { compared } from '../../copy/compared.ts'
import { policies } from '../../copy/policies.ts'
import { sizeOf } from '../../copy/sizes.ts'
import { ComparedHead, sidesOf } from './compared-head.tsx'
import styles from './policies.module.css'
import type { Version } from './version.ts'

const words = policies.file

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

/** Two versions of which one is a file at least: whether they are the same, and that words are not compared. */
export function FilesCompared({ policy, from, to }: { policy: AnyRecord; from: Version; to: Version }) {
  const isSame = from.file !== null && from.file.sha256 === to.file?.sha256
  return (
    <article className={styles.sheet} aria-label={compared.label(from.label, to.label)}>
      <Stack gap="sm">
        <ComparedHead label={compared.label(from.label, to.label)} sides={sidesOf(policy, { from, to })} />
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
