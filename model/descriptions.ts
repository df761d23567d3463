import { z } from 'zod'
import { COMMON_FIELDS, type Shape } from './kind.ts'
import { control } from './kinds/control.ts'
import { personnel } from './kinds/personnel.ts'
import { risk } from './kinds/risk.ts'

/*
 * What fields mean, where the title does not say it all. Documents, tools and forms show it. Importing this module
 * gives the fields their descriptions.
 */

const RISK: Described<typeof risk.fields> = {
  title: 'What could happen, in one line',
  description: 'Circumstances, and what is known so far',
  status: 'Where it stands; assessed asks for likelihood and impact',
  statusReason: 'Why it is in this state; asked for when it is closed',
  category: 'Where it comes from',
  likelihood: 'As it is now, with the controls that work',
  impact: 'As it is now, with the controls that work',
  inherentLikelihood: 'Before any control',
  inherentImpact: 'Before any control',
  residualLikelihood: 'Once the planned controls work',
  residualImpact: 'Once the planned controls work',
  targetLevel: 'The level to get down to',
  owner: 'Who answers for it',
  dueDate: 'When the treatment has to be done',
  reviewDate: 'When to look at it again',
  reviewFrequency: 'How often to look at it',
  identifiedAt: 'When it was first seen',
  treatmentStrategy: 'What is to be done about it',
  impactAreas: 'What would suffer',
  threat: 'Who or what could do it',
  vulnerability: 'The weakness that lets it happen',
  cause: 'What would set it off',
  consequence: 'What would follow',
  strengthOfKnowledge: 'How well founded the rating is',
  quantification: 'A year in numbers: how often, and what one time costs',
}

const OF_RATINGS: Described<typeof risk.derived> = {
  riskScore: 'Likelihood times impact, each from 1 to 5',
  riskLevel: 'From the score of likelihood and impact',
}

const CONTROL: Described<typeof control.fields> = {
  code: 'The name it has in your framework or manual, such as NET-4',
  title: 'What is done, in one line',
  description: 'How it is done, and by whom',
  category: 'By what means it works',
  function: 'The function of NIST CSF that it serves',
  type: 'When it acts on what goes wrong',
  implementationStatus: 'How far it is in place',
  statusReason: 'Why it is in this state; asked for when it falls back from implemented',
  notApplicableReason: 'Asked for while it is not_applicable',
  priority: 'How urgent it is to put in place',
  owner: 'Who answers for it',
  effectiveness: 'As last tested',
  automation: 'How much of it runs by itself',
  testProcedure: 'How to see that it works',
  frequency: 'How often it is performed',
  maturity: 'From 0 (none) to 5 (optimized)',
  dueDate: 'When it has to be in place',
  implementedAt: 'Since when it is in place',
  nextTestDate: 'When it is tested next',
  effort: 'How much work it is to put in place',
  cost: 'To put in place (build) and to keep up a year (run), in money and days',
}

const PERSONNEL: Described<typeof personnel.fields> = {
  fullName: 'As colleagues know the person',
  workEmail: 'Unique in the directory',
  givenName: 'Where letters need it apart',
  familyName: 'Where letters need it apart',
  preferredName: 'What they want to be called',
  jobTitle: 'What they are employed as',
  department: 'As your organization chart has it',
  team: 'Within the department',
  location: 'Where they work',
  country: 'ISO 3166-1 alpha-2, such as AT',
  managerId: 'The directory entry of whom they report to',
  employeeNumber: 'In the books of human resources',
  employmentType: 'On what terms they work',
  status: 'Where they stand between joining and leaving',
  inScope: 'Whether compliance duties reach them',
  outOfScopeReason: 'Why no duties reach them',
  startDate: 'When they begin',
  endDate: 'When they leave',
  userId: 'The user they sign in as, if they do',
}

const COMMON: Described<typeof COMMON_FIELDS> = {
  labels: 'Words of your own to sort and find by',
}

/** Those that say it themselves already need not be here. */
type Described<Fields extends Shape> = Partial<Record<keyof Fields & string, string>>

const DESCRIBED: readonly (readonly [Shape, Described<Shape>])[] = [
  [risk.fields, RISK],
  [risk.derived, OF_RATINGS],
  [control.fields, CONTROL],
  [personnel.fields, PERSONNEL],
  [COMMON_FIELDS, COMMON],
]

for (const [fields, descriptions] of DESCRIBED)
  for (const [name, description] of Object.entries(descriptions)) {
    const schema = fields[name]
    if (schema && description) z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), description })
  }
