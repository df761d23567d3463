/** A code of an app is digits; everything else is meant as a recovery code, in whichever field it was typed. */
export const eitherCode = (typed: string): { code: string } | { recoveryCode: string } =>
  /^[\d\s]+$/.test(typed) ? { code: typed.trim() } : { recoveryCode: typed.trim() }
