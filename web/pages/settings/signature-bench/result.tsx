import { Alert, Text } from '@mantine/core'
import type { SignatureCheck } from '../../../client/signature-check.ts'
import { ForeignText } from '../../../components/foreign-text.tsx'
import { bench, causes, bench as words } from '../../../copy/signature-bench.ts'

/** The cause in one line, what to do about it, and where it can be seen. */
export function Result({ verdict, isCompared }: { verdict: SignatureCheck; isCompared: boolean }) {
  if (verdict.authentic)
    return (
      <Alert color="teal" title={words.authentic}>
        {words.authenticText} {verdict.computedMatches && words.authenticComputed}
      </Alert>
    )
  const { cause, detail } = verdict
  return (
    <Alert color="red" title={<ForeignText>{causes[cause].title(detail)}</ForeignText>}>
      <Text size="sm" maw="72ch">
        {causes[cause].cure}
      </Text>
      {detail.sent !== undefined && detail.given !== undefined && (
        <dl style={{ margin: '0.5rem 0 0', fontSize: '0.75rem', overflowWrap: 'anywhere' }}>
          <dt>{bench.difference.sent(detail.at ?? 0)}</dt>
          <dd style={{ margin: '0 0 0.25rem' }}>
            <code>
              <ForeignText>{visible(detail.sent)}</ForeignText>
            </code>
          </dd>
          <dt>{bench.difference.given}</dt>
          <dd style={{ margin: 0 }}>
            <code>
              <ForeignText>{visible(detail.given)}</ForeignText>
            </code>
          </dd>
        </dl>
      )}
      {isCompared && (
        <Text size="xs" c="dimmed" mt="xs">
          {words.compared}
        </Text>
      )}
    </Alert>
  )
}

/** A difference may be one of white space, so that is shown too. */
const visible = (text: string): string =>
  text.replaceAll('\r', '␍').replaceAll('\n', '␊').replaceAll('\t', '␉')
