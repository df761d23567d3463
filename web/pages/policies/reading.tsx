import { memo } from 'react'
import { Pictures } from '../../client/pictures.ts'
import type { AnyRecord } from '../../client/records.ts'
import { Markdown } from '../../components/markdown.tsx'
import { DatedMoment } from '../../components/moment.tsx'
import { usePrinting } from '../../components/use-printing.ts'
import { actorName } from '../../copy/journal.ts'
import { policies } from '../../copy/policies.ts'
import { OnPaper } from './on-paper.tsx'
import styles from './policies.module.css'
import { useFilledDraft } from './use-filled-draft.ts'
import { statusWord, type Version } from './version.ts'
import { VersionFile } from './version-file.tsx'

const words = policies.text

/** A version as it is read, with what is to be known of it at its foot. */
export const Reading = memo(function Reading({ policy, version }: { policy: AnyRecord; version: Version }) {
  const { changelog, label, title, status, publishedAt, publishedBy } = version
  const filled = useFilledDraft(policy, version.text ? [] : [version.content])
  const text = version.text ? version.text : filled(version)
  const isPrinting = usePrinting()
  const isFile = version.file !== null
  const sha256 = version.file?.sha256 ?? version.contentSha256
  return (
    <article className={styles.sheet} aria-label={words.label} data-printed-alone>
      <h1>
        <bdi>{title}</bdi>
      </h1>
      {isPrinting && <OnPaper policy={policy} version={version} />}
      {isFile ? (
        <VersionFile version={version} />
      ) : (
        <Pictures value={{ of: 'version', id: version.id }}>
          <Markdown isDocument>{text}</Markdown>
        </Pictures>
      )}
      <footer className={styles.foot}>
        {!isPrinting && (
          <p>
            {words.version} {label} · {statusWord(policy, version)}
            {publishedAt && (
              <>
                {status === 'published' ? '' : ` · ${words.published}`} {words.publishedOn}{' '}
                <DatedMoment at={publishedAt} />
                {publishedBy && (
                  <>
                    {' '}
                    {words.publishedBy} <bdi>{actorName(publishedBy)}</bdi>
                  </>
                )}
              </>
            )}
          </p>
        )}
        {changelog && (
          <p>
            {words.changelog}: <bdi>{changelog}</bdi>
          </p>
        )}
        {sha256 ? (
          <p>
            {isFile ? policies.file.hash : words.hash}: <code>{sha256}</code>
          </p>
        ) : (
          version.status === 'draft' && <p>{words.placeholders}</p>
        )}
      </footer>
    </article>
  )
})
