/**
 * Whether a text is a Legal Entity Identifier by its form: eighteen letters or digits and two check digits (ISO 17442).
 * Letters count from 10 (ISO/IEC 7064, MOD 97-10), and the number that all of it then is leaves 1 when divided by 97.
 */
export const isLei = (text: string): boolean =>
  /^[0-9A-Z]{18}[0-9]{2}$/.test(text) &&
  [...text].reduce((rest, sign) => Number(`${rest}${Number.parseInt(sign, 36)}`) % 97, 0) === 1
