import { Anchor } from '@mantine/core'
import { Suspense } from 'react'
import { type AuditEvent, auditSentence, pathOfSubject, type SentencePart } from '../client/audit-sentence.ts'
import { kindOf } from '../client/journal.ts'
import { useKind } from '../client/use-kind.ts'
import { AppLink } from './app-link.tsx'

/** An entry of the audit log as a sentence, with the way to what it is about. */
export const AuditSentence = ({ event }: { event: AuditEvent }) => (
  <span>
    <Suspense>
      <Parts event={event} />
    </Suspense>
  </span>
)

function Parts({ event }: { event: AuditEvent }) {
  useKind(kindOf(event.subject.type))
  return auditSentence(event).map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence stay where they are
    <Part key={place} {...part} />
  ))
}

function Part({ text, names, subject }: SentencePart) {
  const path = subject && pathOfSubject(subject)
  if (path)
    return (
      <Anchor component={AppLink} href={path} inherit>
        <bdi>{text}</bdi>
      </Anchor>
    )
  return names ? (
    <b>
      <bdi>{text}</bdi>
    </b>
  ) : (
    text
  )
}
