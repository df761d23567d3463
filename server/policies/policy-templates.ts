import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compareNaturally } from '../../model/natural-order.ts'
import { POLICY_TEMPLATE_TITLES, type PolicyTemplateKey } from '../../model/policy-template-titles.ts'
import { TEMPLATE_FRAMEWORKS, TEMPLATES, type TemplateFramework } from './template-list.ts'

/*
 * Policies to begin with, in our own words: what a first certification asks for, each long enough to be used and short
 * enough to be read. The text of each is a file of Markdown in templates/.
 */

/** Of one edition of a framework, the keys of the requirements that a policy answers. */
export interface TemplateAnswer {
  /** What the framework is called. */
  readonly framework: string
  readonly frameworkKey: string
  readonly edition: string
  readonly requirementKeys: readonly string[]
}

export interface PolicyTemplate {
  readonly key: string
  readonly title: string
  readonly documentType: string
  readonly about: string
  readonly answers: readonly TemplateAnswer[]
  /** In Markdown, with placeholders. */
  readonly content: string
}

const FOLDER = join(import.meta.dirname, 'templates')

/** All of them, by their titles. */
export const policyTemplates: readonly PolicyTemplate[] = Object.entries(TEMPLATES)
  .map(([key, { answers, ...about }]) => ({
    key,
    title: POLICY_TEMPLATE_TITLES[key as PolicyTemplateKey],
    ...about,
    answers: Object.entries(answers).map(([name, keys]) => {
      const { name: framework, key: frameworkKey, edition } = TEMPLATE_FRAMEWORKS[name as TemplateFramework]
      return { framework, frameworkKey, edition, requirementKeys: keys.split(', ') }
    }),
    content: readFileSync(join(FOLDER, `${key}.md`), 'utf8').trim(),
  }))
  .sort((one, other) => compareNaturally(one.title, other.title))
