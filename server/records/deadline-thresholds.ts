import { thresholdsOf } from '../../model/deadlines.ts'
import { everyKind } from '../../model/kinds/index.ts'

/** The thresholds of each deadline of each kind, and whether records lapse by it, as `t` of a statement. */
export const THRESHOLDS = `(values ${everyKind
  .flatMap(({ name, deadlines }) =>
    Object.entries(deadlines).map(
      ([deadline, one]) =>
        `('${name}', '${deadline}', '{${thresholdsOf(one).join(', ')}}'::int[], ${one.lapses !== undefined})`,
    ),
  )
  .join(', ')}) as t (kind, name, thresholds, lapses)`
