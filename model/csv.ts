/**
 * Rows as CSV (RFC 4180), with the mark that lets spreadsheets read it as UTF-8. What a spreadsheet would take for
 * a formula is made text by an apostrophe before it: the rows hold what anybody may have written. So is what begins with
 * such an apostrophe itself, so that whoever reads the rows again can tell which are its own (`withoutMark`).
 */
export const csvHead = (columns: readonly string[]): string => `\uFEFF${csvRow(columns)}`

export const csvRow = (values: readonly unknown[]): string => `${values.map(cell).join(',')}\r\n`

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}

const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/

/** A text as it was before it was written. */
export const withoutMark = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text
