/** Rows for the clipboard, which spreadsheets and mail programs paste as a table; no name is taken for a formula. */
export const asTable = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map(asCell).join('\t')).join('\n')

const asCell = (value: string): string => {
  const line = value.replace(/\s+/g, ' ')
  return /^[=+\-@]/.test(line) ? `'${line}` : line
}
