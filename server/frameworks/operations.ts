import { activateFramework } from './activate-framework.ts'
import { explainRequirement } from './explain-requirement.ts'

/** What is done with frameworks beside the verbs of their kinds. */
export const frameworkOperations = { activateFramework, explainRequirement }
