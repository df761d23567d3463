import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'
import { buttons } from './copy/buttons.ts'

/*
 * How everything looks, said once. Text on its ground is at least 4.5:1 in both schemes, and what a control is
 * recognized by at least 3:1.
 */

// biome-ignore format: a scale reads as a line
const indigo: MantineColorsTuple = ['#eef0fe', '#dfe3fc', '#bec6f8', '#a5b0f7', '#8e9bf5', '#6c7bea', '#5566e0', '#4757d6', '#3b49b8', '#2f3a94']

// biome-ignore format: a scale reads as a line
const gray: MantineColorsTuple = ['#f7f8f9', '#f0f2f4', '#e6e9ec', '#d8dce1', '#c4cad1', '#8b94a0', '#5e6670', '#4e555e', '#343a41', '#1f2328']

// biome-ignore format: a scale reads as a line
const dark: MantineColorsTuple = ['#e4e6ea', '#c6cad1', '#a3aab4', '#737c88', '#353a42', '#2a2e35', '#1d2025', '#16181c', '#101215', '#0b0c0e']

// biome-ignore format: a scale reads as a line
const red: MantineColorsTuple = ['#fdf1f0', '#fbdedc', '#f5bcb8', '#ef9893', '#ff8f87', '#dd534d', '#cf3f3b', '#c0302d', '#a52724', '#861f1d']

const fields = { defaultProps: { withAsterisk: false } }
// A dialog stands in the page, and its head is not the head of the page.
const head = { defaultProps: { component: 'div' } }
const closeButton = { defaultProps: { 'aria-label': buttons.close } }

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 6 },
  colors: { indigo, gray, dark, red },
  black: '#1f2328',
  defaultRadius: 6,
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.35' },
      h2: { fontSize: '1rem', lineHeight: '1.4' },
      h3: { fontSize: '0.875rem', lineHeight: '1.45' },
    },
  },
  // Named, not imported: the pages bring the components that they use.
  components: {
    // Acts of a row, and beside a value: a sign alone, which says what it does to who hears it.
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Alert: { defaultProps: { variant: 'light' } },
    Anchor: { defaultProps: { underline: 'hover' } },
    Badge: { defaultProps: { variant: 'default', tt: 'none', fw: 500, radius: 6 } },
    Button: { defaultProps: { fw: 500 } },
    Checkbox: { defaultProps: { size: 'xs' } },
    Drawer: { defaultProps: { position: 'right', transitionProps: { duration: 0 } } },
    DrawerCloseButton: closeButton,
    DrawerHeader: head,
    // An opened menu has its first item focused, and nothing in it but items.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Modal: { defaultProps: { centered: true, transitionProps: { duration: 0 } } },
    ModalCloseButton: closeButton,
    ModalHeader: head,
    // What opens over a page is part of its content also to who goes from landmark to landmark.
    Portal: { defaultProps: { target: 'main' } },
    SegmentedControl: { defaultProps: { transitionDuration: 0 } },
    InputBase: fields,
    NativeSelect: fields,
    PasswordInput: fields,
    Textarea: fields,
    TextInput: fields,
  },
})

/** What the components leave too faint, and the app's own names: ground is behind the cards. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--ground': gray[0],
    '--field-line': gray[5],
    '--good': '#087f5b',
    '--waits': '#a85b00',
    '--mantine-color-dimmed': gray[6],
    '--mantine-color-placeholder': gray[6],
    '--mantine-color-default-border': gray[3],
    '--mantine-color-error': red[7],
    '--mantine-color-anchor': indigo[7],
    '--mantine-color-indigo-light-color': indigo[7],
    '--mantine-color-indigo-light-hover': indigo[1],
    '--mantine-color-red-light': red[0],
    '--mantine-color-red-light-color': red[7],
    '--mantine-color-teal-light-color': '#087f5b',
  },
  dark: {
    '--ground': dark[8],
    '--field-line': '#646c78',
    '--good': '#38d9a9',
    '--waits': '#ffc34d',
    '--mantine-color-dimmed': dark[2],
    '--mantine-color-placeholder': dark[2],
    '--mantine-color-default-border': dark[4],
    '--mantine-color-error': red[4],
    '--mantine-color-anchor': indigo[4],
    '--mantine-color-indigo-light-color': indigo[3],
    '--mantine-color-indigo-light': 'rgb(108 123 234 / 16%)',
    '--mantine-color-gray-light': 'rgb(153 160 171 / 12%)',
    '--mantine-color-red-light-color': red[4],
    '--mantine-color-red-light': 'rgb(240 80 75 / 14%)',
    '--mantine-color-yellow-light': 'rgb(250 176 5 / 12%)',
  },
})
