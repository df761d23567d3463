import { Anchor } from '@mantine/core'
import { useAnswer } from '../../client/use-answer.ts'
import { AppLink } from '../../parts/app-link.tsx'
import { Card } from '../../parts/card.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import rows from '../../parts/record-rows.module.css'
import { outcomes } from '../../words/outcomes.ts'
import { overview } from '../../words/overview.ts'

const words = overview.audit
const SHOWN = 8

/** For admins: what was done last, and what was refused. */
export function AuditNews() {
  const log = useAnswer('listAuditLog', { limit: SHOWN })
  const all = (
    <Anchor component={AppLink} href="/settings/audit-log" size="sm">
      {words.all}
    </Anchor>
  )
  return (
    <Card title={words.title} action={all}>
      <Loaded query={log} lines={SHOWN}>
        {({ data }) => (
          <ul className={rows.rows} aria-label={words.title}>
            {data.map(({ id, time, action, outcome, actor, subject }) => (
              <li key={id}>
                <span className={rows.name}>
                  {action} <bdi>{subject.title ?? subject.reference ?? ''}</bdi>
                  {outcome !== 'success' && <b> {outcomes[outcome]}</b>}
                </span>
                <span className={rows.aside}>
                  <bdi>{actor.displayName}</bdi>
                  <Moment at={time} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}
