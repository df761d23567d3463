/** A list as a file, and the way in for one. */
export const exporting = {
  menu: 'Export',
  menuWithImport: 'Export and import',
  formats: { xlsx: 'Excel workbook', csv: 'CSV', json: 'JSON' },
  import: 'Import a file',
  asJob: (rows: string) => `More than ${rows} rows: made while you go on, and told when it is ready.`,
  label: 'Exports',
  underWay: 'Your export is being made',
  ready: 'Your export is ready',
  failed: 'Your export has failed',
  cancelled: 'Your export was stopped',
  download: (name: string) => `Download ${name}`,
  jobs: 'Your jobs',
}
