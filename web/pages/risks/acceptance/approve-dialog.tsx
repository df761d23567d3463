import { writtenTime } from '../../../client/formats.ts'
import { kindIndex } from '../../../client/kinds.ts'
import { useRecordAnswer } from '../../../client/records.ts'
import { Timed } from '../../../components/moment.tsx'
import { acceptance as words } from '../../../copy/acceptance.ts'
import type { DialogProps } from '../../record/dialog-props.ts'
import { OperationDialog } from '../../record/operation-dialog.tsx'
import styles from './acceptance.module.css'
import type { Acceptance } from './acceptance.ts'
import { DATE } from './headline.tsx'
import { RiskName } from './risk-name.tsx'
import { ThenAndNow } from './then-and-now.tsx'

/** Approves an acceptance: what somebody puts their name to stands there once more. */
export function ApproveDialog(props: DialogProps) {
  const acceptance = props.record as Acceptance
  const { data: risk } = useRecordAnswer(kindIndex.risk, 'get', { id: acceptance.riskId })
  const { expiresAt, conditions } = acceptance
  return (
    <OperationDialog {...props}>
      {risk && (
        <>
          <dl className={styles.facts}>
            <div>
              <dt>{words.risk}</dt>
              <dd>
                <RiskName risk={risk} />
              </dd>
            </div>
            <div>
              <dt>{words.until}</dt>
              <dd>
                <Timed at={expiresAt}>{writtenTime(new Date(expiresAt), DATE)}</Timed>
              </dd>
            </div>
            {conditions && (
              <div>
                <dt>{words.conditions}</dt>
                <dd>
                  <bdi>{conditions}</bdi>
                </dd>
              </div>
            )}
          </dl>
          <ThenAndNow acceptance={acceptance} risk={risk} />
        </>
      )}
    </OperationDialog>
  )
}
