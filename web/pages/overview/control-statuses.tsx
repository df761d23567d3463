import type { Kind } from '../../../model/kind.ts'
import { kinds } from '../../../model/kinds/index.ts'
import { stateField } from '../../../model/roles.ts'
import { fieldsOf } from '../../client/fields.ts'
import { listAddress } from '../../client/list-address.ts'
import { useRecordAnswer } from '../../client/records.ts'
import { Card } from '../../components/card.tsx'
import { CountBars } from '../../components/count-bars.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { overview } from '../../copy/overview.ts'

const control = kinds.control as unknown as Kind
const STATUS = stateField(control)!
const words = overview.statuses

export function ControlStatuses() {
  const summary = useRecordAnswer(control, 'summarize', { counted: [STATUS] })
  return (
    <Card title={words.title}>
      <Loaded query={summary} lines={6}>
        {({ counts }) => {
          const counted = new Map(counts[STATUS]?.map(({ value, count }) => [value, count]))
          const bars = fieldsOf(control)
            .get(STATUS)!
            .options.map((status) => ({
              key: status,
              label: <StateMark kind={control} field={STATUS} state={status} />,
              count: counted.get(status) ?? 0,
              href: listAddress(control, { [STATUS]: status }),
            }))
          return <CountBars label={words.title} bars={bars} />
        }}
      </Loaded>
    </Card>
  )
}
