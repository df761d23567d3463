/*
 * The words of registers that organizations keep in spreadsheets, as data: one file for each language. They suggest what
 * a column or a value means. The user sees and can change each suggestion before anything is written.
 */

export interface Vocabulary {
  /**
   * Titles of columns, separated by "|". A key is a field (`owner`), or a field of one kind (`vendor.owner`), which goes
   * first. `@name`, `@owner` and `@status` are the fields with that purpose in each kind.
   */
  readonly titles: Readonly<Record<string, string>>
  /** Names of the records of a kind. Titles often contain them, as in "Risk owner" or "Nom de l'actif". */
  readonly nouns: Readonly<Record<string, string>>
  /** Words between a noun and the rest of a title, such as "of the". */
  readonly particles: string
  /**
   * Words that mean exactly one choice. A key is the choice (`high`), or the choice of one field (`treatmentStrategy.mitigate`),
   * or of one field of one kind (`vendor.category.saas`).
   */
  readonly values: Readonly<Record<string, string>>
  /** Words that probably mean a choice. They are proposed, and imported once the user agrees. Keys as in `values`. */
  readonly proposals: Readonly<Record<string, string>>
  readonly yes: string
  readonly no: string
  /** First cells of rows below a table that add it up. */
  readonly totals: string
}
