import { z } from 'zod'
import { explained, text, whole } from '../fields.ts'
import { relation } from '../relation.ts'

/** By which controls a requirement is met. */
const requirementControl = relation({
  name: 'requirement_control',
  from: 'requirement',
  to: 'control',
  table: 'control_requirements',
})

/** How a requirement of one framework stands to one of another: the words of OSCAL's mapping model. */
export const requirementMapping = relation({
  name: 'requirement_mapping',
  from: 'requirement',
  to: 'requirement',
  called: {
    to: { one: 'mapping target', many: 'mapping targets' },
    from: { one: 'mapping source', many: 'mapping sources' },
  },
  table: 'requirement_mappings',
  fields: {
    relationship: explained('Relationship', {
      equal: 'Says the same in the same words',
      equivalent: 'Says the same in other words',
      subset_of: 'Asks for a part of what the other asks',
      superset_of: 'Asks for all that the other asks, and more',
      intersects: 'Asks for something that the other asks too',
      no_relationship: 'Somebody looked, and there is none',
    }).describe('Of the requirement to the one it is mapped to'),
    strength: whole('Strength', 0, 10).describe('How close they are'),
    rationale: explained('Rationale', {
      syntactic: 'By their words',
      semantic: 'By what they mean',
      functional: 'By what is done to meet them',
    }).describe('What they were compared by'),
    origin: explained('Origin', {
      official: 'By a publisher of one of them',
      community: 'By others, such as those that Plumbline brings along',
      own: 'By the organization',
      suggested: 'Nobody has looked at it yet',
    }).describe('Who says so'),
    confidence: z.number().min(0).max(1).meta({ title: 'Confidence' }).describe('From 0 to 1'),
    reviewedBy: text('Reviewed by').describe('Whoever has looked at it and agrees'),
    note: text('Note', 2_000).describe('Why'),
  },
  defaults: { relationship: 'intersects', origin: 'own' },
})

export const requirementRelations = [requirementControl, requirementMapping] as const
