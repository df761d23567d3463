/** `costCentre` of "Cost centre": a name as those of the fields that are built in. */
export function nameFrom(label: string): string {
  const plain = label.normalize('NFKD').replace(/\p{M}/gu, '')
  const [first = '', ...others] = plain.split(/[^A-Za-z0-9]+/).filter(Boolean)
  const name = [
    first.toLowerCase(),
    ...others.map((word) => word[0]!.toUpperCase() + word.slice(1).toLowerCase()),
  ].join('')
  return name.replace(/^[0-9]+/, '').slice(0, 60)
}
