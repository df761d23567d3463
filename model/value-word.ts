import { capital } from './capital.ts'

/** How a choice reads: `in_treatment` is "In treatment". */
export const valueWord = (value: string): string =>
  SIZES[value] ??
  capital(
    value
      .split('_')
      .map((word) => ABBREVIATIONS[word] ?? word)
      .join(' '),
  )

const SIZES: Readonly<Record<string, string>> = { xs: 'XS', s: 'S', m: 'M', l: 'L', xl: 'XL' }

/** What is not written as a word, wherever it stands in a choice. */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  ai: 'AI',
  api: 'API',
  baa: 'BAA',
  ci: 'CI',
  dora: 'DORA',
  dpa: 'DPA',
  esg: 'ESG',
  eu: 'EU',
  hr: 'HR',
  iso: 'ISO',
  it: 'IT',
  mcp: 'MCP',
  mfa: 'MFA',
  nda: 'NDA',
  pci: 'PCI',
  saas: 'SaaS',
  scc: 'SCC',
  sla: 'SLA',
  soc: 'SOC',
  soc1: 'SOC 1',
  soc2: 'SOC 2',
  soc3: 'SOC 3',
  sso: 'SSO',
}
