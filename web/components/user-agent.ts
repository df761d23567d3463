import { sessions } from '../copy/account.ts'

/** In the order of asking: several say that they are Chrome or Safari too. */
const BROWSERS = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const

const SYSTEMS = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b|\biPad\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const

/** Which browser it was, as far as it told; `Firefox on Linux`. */
export function browserOf(userAgent: string | null): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  if (!browser) return sessions.unknownBrowser
  return system ? sessions.browserOn(browser, system) : browser
}
