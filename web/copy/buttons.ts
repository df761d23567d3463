/** What buttons say that do the same everywhere. */
export const buttons = {
  cancel: 'Cancel',
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  download: 'Download',
  more: 'Show more',
}
