export const shortcuts = {
  title: 'Keyboard shortcuts',
  groups: {
    anywhere: 'Anywhere',
    lists: 'In a list',
    forms: 'In a form',
  },
  keys: {
    palette: 'Search pages, records and actions',
    help: 'Show this list',
    search: 'Search the list',
    next: 'Next row',
    previous: 'Previous row',
    open: 'Open the row',
    select: 'Select the row, or not',
    create: 'Add a record',
    clear: 'Clear the selection',
    submit: 'Save',
    leave: 'Close, without saving',
  },
  names: { control: 'Ctrl', enter: 'Enter', escape: 'Esc' },
}
