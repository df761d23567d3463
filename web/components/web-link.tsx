import { Anchor } from '@mantine/core'

/**
 * An address of the web as a link, opened beside the app, which tells that page nothing of itself. What is no such
 * address stays a text: somebody may have written it before it was judged.
 */
export function WebLink({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return <bdi>{url}</bdi>
  return (
    <Anchor href={url} target="_blank" rel="noreferrer" inherit style={{ overflowWrap: 'anywhere' }}>
      <bdi>{url}</bdi>
    </Anchor>
  )
}
