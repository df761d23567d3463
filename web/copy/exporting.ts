/** A list as a file, and the way in for one. */
export const exporting = {
  menu: 'Export',
  menuWithImport: 'Export and import',
  formats: { xlsx: 'Excel workbook', csv: 'CSV', json: 'JSON' },
  import: 'Import a file',
}
