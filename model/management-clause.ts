/*
 * Standards of management systems, such as ISO/IEC 27001 and 42001, have clauses 4 to 10 and controls in annexes. An
 * organization that claims conformity cannot exclude a clause (ISO/IEC 27001, clause 1); the statement of applicability
 * is about the controls (6.1.3 d). Both are recognized by their keys, so imported editions are treated like built-in ones.
 */

const CLAUSE = '^([4-9]|10)([.][0-9]+)*$'
const CLAUSE_PATTERN = new RegExp(CLAUSE)

/** Whether a framework has controls in an Annex A, given the keys of its requirements. */
export const hasAnnex = (keys: Iterable<string>): boolean => {
  for (const key of keys) if (key.startsWith('A.')) return true
  return false
}

/** Whether a key is that of a clause, in a framework that has an annex. */
export const isClauseKey = (key: string): boolean => CLAUSE_PATTERN.test(key)

/**
 * SQL condition: the key is that of a clause, and the framework has an annex.
 *
 * @param organization an expression for the id of the organization
 * @param framework an expression for the id of the framework
 * @param key an expression for the key of the requirement
 */
export const isClauseIn = (organization: string, framework: string, key: string): string =>
  `(${key} ~ '${CLAUSE}' and exists (select from requirements a where a.organization_id = ${organization}
     and a.framework_id = ${framework} and a.key like 'A.%'))`
