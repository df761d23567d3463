/** What the templates of policies are called, by their keys: a policy keeps that of the one that it was made from. */
export const POLICY_TEMPLATE_TITLES = {
  'acceptable-use': 'Acceptable use policy',
  'access-control': 'Access control policy',
  'ai-use': 'AI use policy',
  'asset-management': 'Asset management policy',
  backup: 'Backup policy',
  'business-continuity': 'Business continuity policy',
  'change-management': 'Change management policy',
  cryptography: 'Cryptography policy',
  'data-protection': 'Data protection policy',
  'human-resources-security': 'Human resources security policy',
  'incident-response': 'Incident response policy',
  'information-classification': 'Information classification policy',
  'information-security': 'Information security policy',
  'logging-and-monitoring': 'Logging and monitoring policy',
  'physical-security': 'Physical security policy',
  'remote-work': 'Remote work policy',
  'risk-management': 'Risk management policy',
  'secure-development': 'Secure development policy',
  'supplier-security': 'Supplier security policy',
  'vulnerability-management': 'Vulnerability management policy',
} as const

export type PolicyTemplateKey = keyof typeof POLICY_TEMPLATE_TITLES
