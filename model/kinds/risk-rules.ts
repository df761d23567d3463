import type { KindRules } from '../kind-rules.ts'
import { levelOf, scoreOf } from '../scales.ts'

export const rules: Partial<KindRules> = {
  derive: (values) => {
    const rating = (likelihood: string, impact: string) => scoreOf(values[likelihood], values[impact])
    const current = rating('likelihood', 'impact')
    const inherent = rating('inherentLikelihood', 'inherentImpact')
    const residual = rating('residualLikelihood', 'residualImpact')
    return {
      riskScore: current,
      riskLevel: levelOf(current),
      inherentScore: inherent,
      inherentLevel: levelOf(inherent),
      residualScore: residual,
      residualLevel: levelOf(residual),
    }
  },
}
