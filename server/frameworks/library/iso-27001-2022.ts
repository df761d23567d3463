import { catalogOf } from './outline.ts'

export const iso27001of2022 = catalogOf({
  key: 'urn:plumbline:framework:iso-27001',
  edition: '2022',
  name: 'ISO/IEC 27001:2022, information security management',
  shortName: 'ISO 27001:2022',
  publisher: 'ISO/IEC',
  category: 'security',
  sourceDate: '2022-10-25',
  source: 'ISO/IEC 27001:2022 (third edition), clauses 4 to 10 and Annex A',
  outline: `
4 | The organization in its setting
  4.1 | Internal and external issues that bear on security
  4.2 | Needs and expectations of interested parties
  4.3 | Scope of the management system
  4.4 | The management system as a whole
5 | Responsibility of top management
  5.1 | Commitment of top management
  5.2 | Security policy
  5.3 | Assigned roles and authority
6 | Planning
  6.1 | Risks and opportunities
    6.1.1 | Risks and opportunities of the management system
    6.1.2 | Method of risk assessment
    6.1.3 | Method of risk treatment, and the statement of applicability
  6.2 | Security objectives and plans to reach them
  6.3 | Planned changes to the management system
7 | Resources and support
  7.1 | Resources of the management system
  7.2 | Competence of people
  7.3 | Awareness of people
  7.4 | What is communicated, when and to whom
  7.5 | Documentation
    7.5.1 | Documents that are required
    7.5.2 | How documents are created and updated
    7.5.3 | How documents are controlled
8 | Running the management system
  8.1 | Processes planned and controlled
  8.2 | Risk assessments carried out
  8.3 | Risk treatment carried out
9 | Evaluating performance
  9.1 | Monitoring, measuring and analysing
  9.2 | Internal audits
    9.2.1 | Internal audits at planned intervals
    9.2.2 | Internal audit programme
  9.3 | Review by management
    9.3.1 | Reviews at planned intervals
    9.3.2 | Inputs of a review
    9.3.3 | Results of a review
10 | Improving
  10.1 | Improvement that continues
  10.2 | Nonconformities and corrective action
A | Annex A, reference controls
  A.5 | Organizational controls
    A.5.1 | Security policies defined, approved and reviewed
    A.5.2 | Security roles and duties assigned
    A.5.3 | Conflicting duties kept apart
    A.5.4 | Managers require security of their people
    A.5.5 | Contact with authorities maintained
    A.5.6 | Contact with professional groups maintained
    A.5.7 | Information on threats collected and analysed
    A.5.8 | Security within project management
    A.5.9 | Asset inventory with owners
    A.5.10 | Rules for use and handling of assets
    A.5.11 | Assets returned at the end of employment or contract
    A.5.12 | Information classified by need of protection
    A.5.13 | Information labelled by class
    A.5.14 | Rules for transferring information
    A.5.15 | Rules for physical and logical access
    A.5.16 | Identities managed over their life cycle
    A.5.17 | Credentials allocated and handled securely
    A.5.18 | Access rights granted, reviewed and removed
    A.5.19 | Security risks of suppliers managed
    A.5.20 | Security requirements in supplier contracts
    A.5.21 | Security risks of the ICT supply chain managed
    A.5.22 | Supplier services monitored, reviewed and changed under control
    A.5.23 | Cloud services acquired, used and left securely
    A.5.24 | Incident management planned and prepared
    A.5.25 | Security events assessed and decided on
    A.5.26 | Incidents responded to by procedure
    A.5.27 | Lessons learned from incidents
    A.5.28 | Evidence identified, collected and preserved
    A.5.29 | Security maintained during disruption
    A.5.30 | ICT ready for business continuity
    A.5.31 | Legal, regulatory and contractual requirements identified and met
    A.5.32 | Intellectual property respected
    A.5.33 | Records protected from loss and falsification
    A.5.34 | Privacy and personal data protected
    A.5.35 | Security reviewed independently
    A.5.36 | Compliance with policies and standards reviewed
    A.5.37 | Operating procedures documented
  A.6 | People controls
    A.6.1 | Background checks of candidates
    A.6.2 | Security duties in employment contracts
    A.6.3 | Awareness, education and training in security
    A.6.4 | Disciplinary procedure for breaches of policy
    A.6.5 | Duties that continue after employment ends or changes
    A.6.6 | Confidentiality agreements signed and reviewed
    A.6.7 | Security of remote work
    A.6.8 | Staff report security events
  A.7 | Physical controls
    A.7.1 | Security perimeters around sensitive areas
    A.7.2 | Entry to secure areas controlled
    A.7.3 | Offices, rooms and facilities secured
    A.7.4 | Premises monitored for unauthorized access
    A.7.5 | Protection against physical and environmental threats
    A.7.6 | Rules for work in secure areas
    A.7.7 | Clear desks and locked screens
    A.7.8 | Equipment placed securely
    A.7.9 | Assets protected off the premises
    A.7.10 | Storage media managed over their life cycle
    A.7.11 | Protection against failures of power and other utilities
    A.7.12 | Power and data cables protected
    A.7.13 | Equipment maintained correctly
    A.7.14 | Data removed before equipment is disposed of or reused
  A.8 | Technological controls
    A.8.1 | User devices protected
    A.8.2 | Privileged access rights restricted and managed
    A.8.3 | Access to information restricted by policy
    A.8.4 | Access to source code managed
    A.8.5 | Secure sign-in procedures and technology
    A.8.6 | Capacity monitored and adjusted
    A.8.7 | Protection from malware
    A.8.8 | Technical vulnerabilities identified and treated
    A.8.9 | Configurations established, documented and monitored
    A.8.10 | Information deleted when no longer needed
    A.8.11 | Sensitive data masked
    A.8.12 | Data leakage prevented
    A.8.13 | Backups made and restoring tested
    A.8.14 | Redundancy that meets availability needs
    A.8.15 | Events logged, and logs protected and analysed
    A.8.16 | Networks and systems monitored for anomalies
    A.8.17 | Clocks synchronized
    A.8.18 | Use of privileged utility programs restricted
    A.8.19 | Software installation on live systems controlled
    A.8.20 | Networks secured and managed
    A.8.21 | Security of network services agreed and monitored
    A.8.22 | Networks segregated
    A.8.23 | Access to external websites filtered
    A.8.24 | Rules for cryptography and key management
    A.8.25 | Rules for secure development
    A.8.26 | Security requirements of applications specified
    A.8.27 | Principles of secure system engineering
    A.8.28 | Secure coding applied
    A.8.29 | Security tested in development and before acceptance
    A.8.30 | Outsourced development directed and reviewed
    A.8.31 | Development, test and production separated
    A.8.32 | Changes managed by procedure
    A.8.33 | Test data selected and protected
    A.8.34 | Systems protected during audit tests
`,
})
