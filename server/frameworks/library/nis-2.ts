import { catalogOf } from './outline.ts'

export const nis2 = catalogOf({
  key: 'urn:plumbline:framework:nis-2',
  edition: '2022/2555',
  name: 'NIS 2, Directive (EU) 2022/2555',
  shortName: 'NIS 2',
  publisher: 'European Union',
  category: 'security',
  jurisdiction: 'EU',
  sourceDate: '2022-12-27',
  source: 'Directive (EU) 2022/2555, OJ L 333, articles 1 to 46; what binds is the law of the member state',
  outline: `
Chapter I | General provisions
  ~ Art. 1 | Subject matter
  ~ Art. 2 | Scope
  Art. 3 | Essential and important entities
  ~ Art. 4 | Sector-specific Union legal acts
  ~ Art. 5 | Minimum harmonisation
  ~ Art. 6 | Definitions
Chapter II | Coordinated cybersecurity frameworks
  ~ Art. 7 | National cybersecurity strategy
  ~ Art. 8 | Competent authorities and single points of contact
  ~ Art. 9 | National cyber crisis management frameworks
  ~ Art. 10 | Computer security incident response teams (CSIRTs)
  ~ Art. 11 | Requirements, technical capabilities and tasks of CSIRTs
  ~ Art. 12 | Coordinated vulnerability disclosure and a European vulnerability database
  ~ Art. 13 | Cooperation at national level
Chapter III | Cooperation at Union and international level
  ~ Art. 14 | Cooperation Group
  ~ Art. 15 | CSIRTs network
  ~ Art. 16 | European cyber crisis liaison organisation network (EU-CyCLONe)
  ~ Art. 17 | International cooperation
  ~ Art. 18 | Report on the state of cybersecurity in the Union
  ~ Art. 19 | Peer reviews
Chapter IV | Cybersecurity risk-management measures and reporting obligations
  Art. 20 | Governance
    Art. 20(1) | Approval, oversight and liability of management bodies
    Art. 20(2) | Training of management bodies and employees
  Art. 21 | Cybersecurity risk-management measures
    Art. 21(1) | Appropriate and proportionate measures
    Art. 21(2) | Minimum measures, by an all-hazards approach
      Art. 21(2)(a) | Policies on risk analysis and information system security
      Art. 21(2)(b) | Incident handling
      Art. 21(2)(c) | Business continuity, such as backup management and disaster recovery, and crisis management
      Art. 21(2)(d) | Supply chain security
      Art. 21(2)(e) | Security in network and information systems acquisition, development and maintenance, including vulnerability handling and disclosure
      Art. 21(2)(f) | Policies and procedures to assess the effectiveness of the measures
      Art. 21(2)(g) | Basic cyber hygiene practices and cybersecurity training
      Art. 21(2)(h) | Policies and procedures regarding the use of cryptography and, where appropriate, encryption
      Art. 21(2)(i) | Human resources security, access control policies and asset management
      Art. 21(2)(j) | Multi-factor authentication and secured communications
    Art. 21(3) | Vulnerabilities and cybersecurity practices of direct suppliers
    Art. 21(4) | Corrective measures without undue delay
  ~ Art. 22 | Union level coordinated security risk assessments of critical supply chains
  Art. 23 | Reporting obligations
    Art. 23(1) | Notification of significant incidents
    Art. 23(2) | Communication of significant cyber threats to recipients of services
    Art. 23(4) | Early warning, incident notification and final report
  Art. 24 | Use of European cybersecurity certification schemes
  ~ Art. 25 | Standardisation
Chapter V | Jurisdiction and registration
  ~ Art. 26 | Jurisdiction and territoriality
  Art. 27 | Registry of entities
  Art. 28 | Database of domain name registration data
Chapter VI | Information sharing
  Art. 29 | Cybersecurity information-sharing arrangements
  ~ Art. 30 | Voluntary notification of relevant information
Chapter VII | Supervision and enforcement
  ~ Art. 31 | General aspects concerning supervision and enforcement
  ~ Art. 32 | Supervisory and enforcement measures in relation to essential entities
  ~ Art. 33 | Supervisory and enforcement measures in relation to important entities
  ~ Art. 34 | General conditions for imposing administrative fines on essential and important entities
  ~ Art. 35 | Infringements entailing a personal data breach
  ~ Art. 36 | Penalties
  ~ Art. 37 | Mutual assistance
Chapter VIII | Delegated and implementing acts
  ~ Art. 38 | Exercise of the delegation
  ~ Art. 39 | Committee procedure
Chapter IX | Final provisions
  ~ Art. 40 | Review
  ~ Art. 41 | Transposition
  ~ Art. 42 | Amendment of Regulation (EU) No 910/2014
  ~ Art. 43 | Amendment of Directive (EU) 2018/1972
  ~ Art. 44 | Repeal
  ~ Art. 45 | Entry into force
  ~ Art. 46 | Addressees
`,
})
