import { PAGES } from '../../../model/pages.ts'
import { kindIndex } from '../../client/kinds.ts'
import { mayDo } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { ButtonLink } from '../../components/links.tsx'
import { frameworks } from '../../copy/frameworks.ts'

/** The way to frameworks that others wrote: a form or a spreadsheet of frameworks brings none of their requirements. */
export function FromLibrary() {
  if (!mayDo(kindIndex.framework, 'create', useSignedIn())) return null
  return (
    <div>
      <ButtonLink to={PAGES.frameworkLibrary} variant="default" size="compact-sm">
        {frameworks.library.way}
      </ButtonLink>
    </div>
  )
}
