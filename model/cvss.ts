/*
 * Vectors of the Common Vulnerability Scoring System, as FIRST writes them: its version, and behind it the metrics that
 * somebody rated, each as `name:value`. Whether one is well formed is said here; no score is computed.
 */

/** The metrics of a version: what each may be, by its name. */
interface Version {
  /** Those that no vector lacks. */
  readonly base: Metrics
  readonly others: Metrics
  /** Whether they stand in the order in which they are listed here. */
  readonly isOrdered: boolean
}

type Metrics = Readonly<Record<string, string>>

const BASE_3: Metrics = { AV: 'NALP', AC: 'LH', PR: 'NLH', UI: 'NR', S: 'UC', C: 'NLH', I: 'NLH', A: 'NLH' }

const OTHERS_3: Metrics = {
  ...{ E: 'XUPFH', RL: 'XOTWU', RC: 'XURC', CR: 'XLMH', IR: 'XLMH', AR: 'XLMH' },
  ...{ MAV: 'XNALP', MAC: 'XLH', MPR: 'XNLH', MUI: 'XNR', MS: 'XUC', MC: 'XNLH', MI: 'XNLH', MA: 'XNLH' },
}

const BASE_4: Metrics = {
  ...{ AV: 'NALP', AC: 'LH', AT: 'NP', PR: 'NLH', UI: 'NPA' },
  ...{ VC: 'HLN', VI: 'HLN', VA: 'HLN', SC: 'HLN', SI: 'HLN', SA: 'HLN' },
}

const OTHERS_4: Metrics = {
  ...{ E: 'XAPU', CR: 'XHML', IR: 'XHML', AR: 'XHML' },
  ...{ MAV: 'XNALP', MAC: 'XLH', MAT: 'XNP', MPR: 'XNLH', MUI: 'XNPA' },
  ...{ MVC: 'XHLN', MVI: 'XHLN', MVA: 'XHLN', MSC: 'XHLN', MSI: 'XSHLN', MSA: 'XSHLN' },
  ...{ S: 'XNP', AU: 'XNY', R: 'XAUI', V: 'XDC', RE: 'XLMH' },
}

/** Provider urgency is the one metric whose values are words. */
const URGENCY = ['X', 'Clear', 'Green', 'Amber', 'Red']

const THREE: Version = { base: BASE_3, others: OTHERS_3, isOrdered: false }
const VERSIONS: Readonly<Record<string, Version>> = {
  'CVSS:3.0': THREE,
  'CVSS:3.1': THREE,
  'CVSS:4.0': { base: BASE_4, others: { ...OTHERS_4, U: '' }, isOrdered: true },
}

/** Whether a text is a vector of CVSS 3.0, 3.1 or 4.0: with all base metrics, none twice, and none that is unknown. */
export function isCvssVector(text: string): boolean {
  const [head = '', ...pairs] = text.split('/')
  // Every object has names by nature, such as constructor.
  const version = Object.hasOwn(VERSIONS, head) ? VERSIONS[head] : undefined
  if (!version) return false
  const all = { ...version.base, ...version.others }
  const metrics = pairs.map((pair) => pair.split(':') as [name: string, ...values: string[]])
  const names = metrics.map(([name]) => name)
  return (
    metrics.every(([name, ...values]) => values.length === 1 && isValue(all, name, values[0]!)) &&
    new Set(names).size === names.length &&
    Object.keys(version.base).every((name) => names.includes(name)) &&
    (!version.isOrdered || isInOrder(names, Object.keys(all)))
  )
}

function isValue(metrics: Metrics, name: string, value: string): boolean {
  if (!Object.hasOwn(metrics, name)) return false
  return name === 'U' ? URGENCY.includes(value) : value.length === 1 && metrics[name]!.includes(value)
}

const isInOrder = (names: readonly string[], order: readonly string[]): boolean =>
  names.every((name, index) => index === 0 || order.indexOf(names[index - 1]!) < order.indexOf(name))
