import { Anchor } from '@mantine/core'
import { type AuditEvent, auditSentence, pathOfSubject } from '../client/audit-sentence.ts'
import { AppLink } from './app-link.tsx'

/** An entry of the audit log as a sentence, with the way to what it is about. */
export function AuditSentence({ event }: { event: AuditEvent }) {
  return (
    <span>
      {auditSentence(event).map(({ text, names, subject }, at) => {
        // biome-ignore-start lint/suspicious/noArrayIndexKey: the parts of a sentence stay where they are
        const path = subject && pathOfSubject(subject)
        if (path)
          return (
            <Anchor key={at} component={AppLink} href={path} inherit>
              <bdi>{text}</bdi>
            </Anchor>
          )
        if (names)
          return (
            <b key={at}>
              <bdi>{text}</bdi>
            </b>
          )
        return <span key={at}>{text}</span>
        // biome-ignore-end lint/suspicious/noArrayIndexKey: -
      })}
    </span>
  )
}
