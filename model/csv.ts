/**
 * Rows as CSV (RFC 4180), with the mark that lets spreadsheets read it as UTF-8. What a spreadsheet would take for
 * a formula is made text by an apostrophe before it: the rows hold what anybody may have written.
 */
export const csvHead = (columns: readonly string[]): string => `\uFEFF${csvRow(columns)}`

export const csvRow = (values: readonly unknown[]): string => `${values.map(cell).join(',')}\r\n`

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const harmless = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}
