import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../client/calls.ts'
import { type NamedPicture, PICTURE, type TextOfPictures } from '../client/pictures.ts'
import { Problem } from '../client/problem.ts'
import { ask, isProblemOfOurs, unreadable } from '../client/send.ts'
import { ForeignText } from './foreign-text.tsx'
import styles from './markdown.module.css'

/** A picture of a text; until it is there, and where it cannot be shown, what it is called. */
export function Picture({
  text,
  picture: { fileId, sha256 = '' },
  of,
}: {
  text: string
  picture: NamedPicture
  of: TextOfPictures
}) {
  const [isBroken, setIsBroken] = useState(false)
  const { data } = useQuery({
    queryKey: [PICTURE, of, fileId, sha256],
    queryFn: async () => addressOf(await read(of, { fileId, sha256 })),
    staleTime: Infinity,
    retry: false,
  })
  if (data === undefined || isBroken)
    return (
      <span className={styles.noPicture}>
        <ForeignText>{text}</ForeignText>
      </span>
    )
  return <img className={styles.picture} src={data} alt={text} onError={() => setIsBroken(true)} />
}

/** @throws {Problem} */
async function read(of: TextOfPictures, { fileId, sha256 }: Required<NamedPicture>): Promise<Blob> {
  switch (of.of) {
    case 'version':
      return followed(await call('downloadPolicyPicture', { id: of.id, fileId }))
    case 'mine':
      return followed(await call('downloadMyPicture', { id: of.id, sha256, correction: of.correction }))
    case 'pass': {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ sha256, correction: of.correction })
      return bytesIn(await ask('/guest/downloadPictureAsGuest', { method: 'POST', headers, body }))
    }
  }
}

const followed = async ({ url }: { url: string }): Promise<Blob> =>
  bytesIn(await ask(new URL(url).pathname, {}))

async function bytesIn(response: Response): Promise<Blob> {
  if (response.ok) return response.blob()
  const body: unknown = await response.json().catch(() => undefined)
  throw isProblemOfOurs(body) ? new Problem(body) : unreadable(response)
}

/**
 * A picture as an address of its own: the policy of the page lets it show none of elsewhere, and what is read by a cookie
 * has no address.
 */
const addressOf = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
