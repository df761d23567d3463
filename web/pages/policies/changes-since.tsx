import { type ReactNode, useMemo } from 'react'
import { hashesIn, withoutHashes } from '../../../model/policy-pictures.ts'
import { PictureHashes, type TextOfPictures } from '../../client/pictures.ts'
import { compared as words } from '../../copy/compared.ts'
import { ComparedTexts } from './compared-texts.tsx'
import styles from './policies.module.css'

/** A whole text as somebody reads it, in which is marked what changed since the one that they acknowledged before. */
export function ChangesSince({
  before,
  text,
  pictures,
  end,
}: {
  before: string
  text: string
  /** Of the text; the service gives by it those of the one before, too. */
  pictures: TextOfPictures
  end: ReactNode
}) {
  const hashes = useMemo(() => new Map([...hashesIn(before), ...hashesIn(text)]), [before, text])
  const compared = useMemo(() => ({ before: pictures, after: pictures }), [pictures])
  return (
    <PictureHashes value={hashes}>
      <ComparedTexts
        before={withoutHashes(before)}
        after={withoutHashes(text)}
        pictures={compared}
        isWhole
        head={
          <p className={styles.sides}>
            <span className={styles.gone}>{words.gone}</span>{' '}
            <span className={styles.come}>{words.come}</span>
          </p>
        }
        end={end}
      />
    </PictureHashes>
  )
}
