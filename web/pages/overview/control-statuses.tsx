import { kindIndex } from '../../client/kinds.ts'
import { listAddress } from '../../client/list-address.ts'
import { type RecordSummary, useRecordAnswer } from '../../client/records.ts'
import { useKind } from '../../client/use-kind.ts'
import { Card } from '../../components/card.tsx'
import { CountBars } from '../../components/count-bars.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { overview } from '../../copy/overview.ts'

const control = kindIndex.control
const STATUS = 'implementationStatus'
const words = overview.statuses

export function ControlStatuses() {
  const summary = useRecordAnswer(control, 'summarize', { counted: [STATUS, 'attention'] })
  return (
    <Card title={words.title}>
      <Loaded query={summary} lines={6}>
        {(data) => <Bars summary={data} />}
      </Loaded>
    </Card>
  )
}

function Bars({ summary: { counts, attention = {} } }: { summary: RecordSummary }) {
  const kind = useKind(control)
  const counted = new Map(counts[STATUS]?.map(({ value, count }) => [value, count]))
  const bars = kind.fields[STATUS]!.options.map((status) => ({
    key: status,
    label: <StateMark kind={kind} field={STATUS} state={status} />,
    count: counted.get(status) ?? 0,
    href: listAddress(control, { [STATUS]: status }),
    among: (control.attention ?? []).flatMap(({ name, title, states }) => {
      const asking = states[STATUS]?.includes(status) ? (attention[name] ?? 0) : 0
      return asking > 0
        ? [
            {
              text: words.among(asking, title),
              href: listAddress(control, { [STATUS]: status, [name]: true }),
            },
          ]
        : []
    }),
  }))
  return <CountBars label={words.title} bars={bars} />
}
