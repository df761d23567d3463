import type { KindRules } from '../kind-rules.ts'
import { PLACEHOLDERS, unknownIn } from '../policy-text.ts'

export const rules: Partial<KindRules> = {
  refuse: (before, after) => {
    const { content } = after
    if (typeof content !== 'string' || before?.content === content) return null
    const [unknown] = unknownIn(content)
    if (unknown === undefined) return null
    const known = PLACEHOLDERS.map((name) => `{{${name}}}`).join(', ')
    return {
      path: 'content',
      message: `has {{${unknown.slice(0, 100)}}}, which is no placeholder: there are ${known}; write \\{{ for braces that are meant as they stand`,
    }
  },
}
