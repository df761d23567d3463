import type { PolicyTemplateKey } from '../../model/policy-template-titles.ts'

/*
 * What is to be known of each template beside its text, which stands in templates/ under its key: what it is about, and
 * the keys of the requirements that it answers.
 */

/** The frameworks that the templates answer, by the words that they have for them. */
export const TEMPLATE_FRAMEWORKS = {
  'iso-27001': { name: 'ISO 27001:2022', key: 'urn:plumbline:framework:iso-27001', edition: '2022' },
  'iso-42001': { name: 'ISO 42001:2023', key: 'urn:plumbline:framework:iso-42001', edition: '2023' },
  'soc-2': { name: 'SOC 2', key: 'urn:plumbline:framework:soc-2', edition: '2017 (revised 2022)' },
  'nist-csf': { name: 'NIST CSF 2.0', key: 'urn:plumbline:framework:nist-csf', edition: '2.0' },
  gdpr: { name: 'GDPR', key: 'urn:plumbline:framework:gdpr', edition: '2016/679' },
} as const

export type TemplateFramework = keyof typeof TEMPLATE_FRAMEWORKS

interface Listed {
  readonly documentType: string
  readonly about: string
  /** By framework, the keys with commas between them. */
  readonly answers: Readonly<Partial<Record<TemplateFramework, string>>>
}

export const TEMPLATES: Readonly<Record<PolicyTemplateKey, Listed>> = {
  'acceptable-use': {
    documentType: 'policy',
    about: 'What people may and may not do with devices, accounts, software and information',
    answers: {
      'iso-27001': 'A.5.10, A.5.11, A.5.32, A.6.2, A.7.7, A.8.1, A.8.7, A.8.19, A.8.23',
      'soc-2': 'CC1.1, CC1.5, CC2.2, CC6.7, CC6.8',
      'nist-csf': 'GV.RR-04, PR.AT-01, PR.PS-05',
    },
  },
  'access-control': {
    documentType: 'policy',
    about: 'Who has access to which systems and data, and how access is granted, reviewed and withdrawn',
    answers: {
      'iso-27001': 'A.5.15, A.5.16, A.5.17, A.5.18, A.5.3, A.8.2, A.8.3, A.8.5, A.8.18',
      'soc-2': 'CC6.1, CC6.2, CC6.3',
      'nist-csf': 'PR.AA-01, PR.AA-02, PR.AA-03, PR.AA-05',
    },
  },
  'ai-use': {
    documentType: 'policy',
    about:
      'Which AI systems may be used for what, by whom, with which information, and who answers for the result',
    answers: {
      'iso-42001':
        '5.2, A.2.2, A.2.3, A.3.2, A.3.3, A.5.2, A.6.2.6, A.7.4, A.8.2, A.9.2, A.9.3, A.9.4, A.10.3',
      'iso-27001': 'A.5.10, A.5.23, A.8.12',
      'nist-csf': 'GV.RM-07, GV.PO-01, ID.AM-04',
    },
  },
  'asset-management': {
    documentType: 'policy',
    about: 'How devices, software, services and information are recorded, owned, handled and disposed of',
    answers: {
      'iso-27001': 'A.5.9, A.5.10, A.5.11, A.7.10, A.7.13, A.7.14, A.8.1',
      'soc-2': 'CC6.1, CC6.5',
      'nist-csf': 'ID.AM-01, ID.AM-02, ID.AM-04, ID.AM-05, ID.AM-07, ID.AM-08, PR.PS-03',
    },
  },
  backup: {
    documentType: 'policy',
    about: 'What is backed up, how often, how long it is kept, and how restoring is tested',
    answers: {
      'iso-27001': 'A.8.13, A.8.14, A.5.30, A.5.33',
      'soc-2': 'A1.2, A1.3, CC7.5',
      'nist-csf': 'PR.DS-11, RC.RP-03, RC.RP-05',
    },
  },
  'business-continuity': {
    documentType: 'policy',
    about: 'How the organization prepares for disruptions, works through them and returns to normal',
    answers: {
      'iso-27001': 'A.5.29, A.5.30, A.8.14, A.7.5, A.7.11',
      'soc-2': 'CC9.1, CC7.5, A1.2, A1.3',
      'nist-csf':
        'GV.OC-04, GV.OC-05, ID.IM-02, ID.IM-04, PR.IR-03, RC.RP-01, RC.RP-02, RC.RP-04, RC.RP-06, RC.CO-03',
    },
  },
  'change-management': {
    documentType: 'policy',
    about: 'How changes to systems are asked for, judged, tested, approved and made',
    answers: {
      'iso-27001': '6.3, A.8.32, A.8.9, A.8.19, A.8.31, A.5.37',
      'soc-2': 'CC8.1, CC3.4, CC7.1',
      'nist-csf': 'ID.RA-07, PR.PS-01, PR.PS-02',
    },
  },
  cryptography: {
    documentType: 'policy',
    about: 'Where encryption is used, which methods are allowed, and how keys are made, kept and destroyed',
    answers: {
      'iso-27001': 'A.8.24, A.5.17, A.5.31, A.8.20',
      'soc-2': 'CC6.1, CC6.7',
      'nist-csf': 'PR.DS-01, PR.DS-02, PR.DS-10, PR.AA-04',
    },
  },
  'data-protection': {
    documentType: 'policy',
    about:
      'How personal data is collected, used, shared, kept and deleted, and how people exercise their rights',
    answers: {
      'iso-27001': 'A.5.34, A.5.31, A.8.10, A.8.11',
      'soc-2': 'P1.1, P2.1, P3.1, P3.2, P4.1, P4.2, P4.3, P5.1, P5.2, P6.1, P6.6, P7.1, P8.1',
      'nist-csf': 'GV.OC-03, ID.AM-07',
      gdpr: 'Art. 5, Art. 6, Art. 12, Art. 13, Art. 15, Art. 17, Art. 24, Art. 25, Art. 28, Art. 30, Art. 32, Art. 33, Art. 34, Art. 35',
    },
  },
  'human-resources-security': {
    documentType: 'policy',
    about: 'Security before, during and at the end of employment',
    answers: {
      'iso-27001': 'A.6.1, A.6.2, A.6.3, A.6.4, A.6.5, A.6.6, A.5.11, 7.2, 7.3',
      'soc-2': 'CC1.1, CC1.4, CC1.5, CC2.2',
      'nist-csf': 'GV.RR-04, PR.AT-01, PR.AT-02',
    },
  },
  'incident-response': {
    documentType: 'policy',
    about: 'How security incidents are reported, judged, contained, told and learned from',
    answers: {
      'iso-27001': 'A.5.24, A.5.25, A.5.26, A.5.27, A.5.28, A.6.8, A.5.5',
      'soc-2': 'CC7.3, CC7.4, CC7.5, CC2.3',
      'nist-csf':
        'DE.AE-02, DE.AE-04, DE.AE-08, RS.MA-01, RS.MA-02, RS.MA-03, RS.MA-04, RS.AN-03, RS.AN-06, RS.AN-07, RS.CO-02, RS.MI-01, RS.MI-02',
    },
  },
  'information-classification': {
    documentType: 'policy',
    about: 'The classes of information, how each is labelled and handled, and when information is deleted',
    answers: {
      'iso-27001': 'A.5.12, A.5.13, A.5.14, A.5.33, A.8.10, A.8.11, A.8.12',
      'soc-2': 'C1.1, C1.2, CC6.7',
      'nist-csf': 'ID.AM-05, ID.AM-07, PR.DS-01, PR.DS-02, PR.DS-10',
    },
  },
  'information-security': {
    documentType: 'policy',
    about:
      'What the organization wants to achieve by information security, who answers for it, and the principles it follows',
    answers: {
      'iso-27001': '5.1, 5.2, 5.3, 6.2, A.5.1, A.5.2, A.5.4, A.5.31, A.5.35, A.5.36',
      'soc-2': 'CC1.1, CC1.2, CC1.3, CC2.2, CC5.3',
      'nist-csf': 'GV.OC-01, GV.RR-01, GV.RR-02, GV.RR-03, GV.PO-01, GV.PO-02, GV.OV-01',
    },
  },
  'logging-and-monitoring': {
    documentType: 'policy',
    about: 'What is logged, how logs are protected and kept, and how the unusual is noticed',
    answers: {
      'iso-27001': 'A.8.15, A.8.16, A.8.17, A.5.28',
      'soc-2': 'CC7.1, CC7.2, CC4.1',
      'nist-csf': 'PR.PS-04, DE.CM-01, DE.CM-03, DE.CM-06, DE.CM-09, DE.AE-02, DE.AE-03',
    },
  },
  'physical-security': {
    documentType: 'policy',
    about: 'How premises, rooms and equipment are protected from intruders and from the elements',
    answers: {
      'iso-27001': 'A.7.1, A.7.2, A.7.3, A.7.4, A.7.5, A.7.6, A.7.7, A.7.8, A.7.9, A.7.11, A.7.12, A.7.13',
      'soc-2': 'CC6.4, CC6.5',
      'nist-csf': 'PR.AA-06, PR.IR-02, DE.CM-02',
    },
  },
  'remote-work': {
    documentType: 'policy',
    about: 'Rules for working from home, on the way and from abroad',
    answers: {
      'iso-27001': 'A.6.7, A.7.9, A.8.1, A.8.20, A.5.14',
      'soc-2': 'CC6.1, CC6.6, CC6.7',
      'nist-csf': 'PR.AA-03, PR.DS-02, PR.IR-01, PR.AT-01',
    },
  },
  'risk-management': {
    documentType: 'policy',
    about: 'How risks are found, assessed, treated, accepted and followed',
    answers: {
      'iso-27001': '6.1.1, 6.1.2, 6.1.3, 8.2, 8.3, A.5.7',
      'soc-2': 'CC3.1, CC3.2, CC3.3, CC3.4, CC5.1, CC9.1',
      'nist-csf': 'GV.RM-01, GV.RM-02, GV.RM-03, GV.RM-04, GV.RM-06, ID.RA-03, ID.RA-04, ID.RA-05, ID.RA-06',
    },
  },
  'secure-development': {
    documentType: 'policy',
    about: 'How software is designed, written, tested, released and maintained securely',
    answers: {
      'iso-27001': 'A.8.4, A.8.25, A.8.26, A.8.27, A.8.28, A.8.29, A.8.30, A.8.31, A.8.33, A.5.8',
      'soc-2': 'CC8.1, CC7.1, CC5.2',
      'nist-csf': 'PR.PS-06, ID.RA-09, PR.PS-02, ID.RA-01',
    },
  },
  'supplier-security': {
    documentType: 'policy',
    about: 'How suppliers are chosen, bound by contract, watched and left',
    answers: {
      'iso-27001': 'A.5.19, A.5.20, A.5.21, A.5.22, A.5.23, A.6.6',
      'soc-2': 'CC9.2, P6.4, P6.5',
      'nist-csf': 'GV.SC-01, GV.SC-04, GV.SC-05, GV.SC-06, GV.SC-07, GV.SC-08, GV.SC-10, ID.RA-10',
    },
  },
  'vulnerability-management': {
    documentType: 'policy',
    about: 'How technical weaknesses are found, judged and mended in time',
    answers: {
      'iso-27001': 'A.8.8, A.8.7, A.5.7, A.8.34',
      'soc-2': 'CC7.1, CC6.8',
      'nist-csf': 'ID.RA-01, ID.RA-02, ID.RA-08, PR.PS-02, DE.CM-09',
    },
  },
}
