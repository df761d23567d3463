const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** What is written in XML with the entities that every document has, as it is read; what is none stays. */
export const readEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi, (whole, hex, decimal, name) =>
        name ? (NAMED[name] ?? whole) : pointOf(hex ? Number.parseInt(hex, 16) : Number(decimal)),
      )
    : text

const pointOf = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '')
