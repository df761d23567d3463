import { Text, Tooltip } from '@mantine/core'
import { scopeCount as words } from '../copy/apps.ts'

/** How many scopes a credential has, and which on hover; fewer than it was given where a role does not allow them. */
export function ScopeCount({
  scopes,
  effectiveScopes,
  isReduced,
}: {
  scopes: readonly string[]
  effectiveScopes: readonly string[]
  isReduced: boolean
}) {
  return (
    <Tooltip
      multiline
      maw={320}
      label={
        <>
          {isReduced && <div>{words.reducedHint}</div>}
          {scopes.join(', ')}
        </>
      }
      events={{ hover: true, focus: true, touch: true }}
    >
      <Text component="span" size="sm" tabIndex={0} style={{ cursor: 'help', whiteSpace: 'nowrap' }}>
        {isReduced ? words.reduced(effectiveScopes.length, scopes.length) : words.scopes(scopes.length)}
      </Text>
    </Tooltip>
  )
}
