import { capital } from '../../../model/capital.ts'
import { verbOf } from '../../client/journal.ts'
import { type AuditOutcome, auditActions } from '../../copy/audit-actions.ts'
import { journal } from '../../copy/journal.ts'

/**
 * What was done to the record whose page tells of it, behind the name of who did it: the sentence of the audit log, with
 * "it" for the record. At which end a link was made stands beneath it.
 */
export function toldAction(action: string, outcome: AuditOutcome): string {
  const sentence = auditActions.other(action, outcome) ?? auditActions.ofRecord(verbOf(action))
  if (!sentence?.startsWith(ACTOR)) return journal.acted(spelledAction(action))
  return sentence
    .slice(ACTOR.length)
    .replace(/ \w+ \{other\}$/, '')
    .replace('{subject}', 'it')
}

const ACTOR = '{actor} '

/** Of an action that this version does not know, or that was done to something else: "Risk renumber". */
const spelledAction = (action: string): string => capital(action.replaceAll(/[._]/g, ' '))
