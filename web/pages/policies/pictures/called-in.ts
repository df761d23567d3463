/** What the text says of a picture, until somebody says it better. */
export const calledIn = ({ name }: { readonly name: string }): string =>
  name
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[[\]\\`*_<>{}@!\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed()
