import { catalogOf } from './outline.ts'

export const iso27001of2013 = catalogOf({
  key: 'urn:plumbline:framework:iso-27001',
  edition: '2013',
  name: 'ISO/IEC 27001:2013, Annex A',
  shortName: 'ISO 27001:2013',
  publisher: 'ISO/IEC',
  category: 'security',
  sourceDate: '2013-10-01',
  source: 'ISO/IEC 27001:2013 (second edition, replaced in 2022), Annex A',
  outline: `
A.5 | Security policies
  A.5.1 | Direction from management
    A.5.1.1 | Security policies defined and approved
    A.5.1.2 | Security policies reviewed
A.6 | Organization of security
  A.6.1 | Internal organization of security
    A.6.1.1 | Security roles and duties assigned
    A.6.1.2 | Conflicting duties kept apart
    A.6.1.3 | Contact with authorities maintained
    A.6.1.4 | Contact with professional groups maintained
    A.6.1.5 | Security within project management
  A.6.2 | Mobile devices and remote work
    A.6.2.1 | Rules for mobile devices
    A.6.2.2 | Rules for remote work
A.7 | Security of human resources
  A.7.1 | Before employment
    A.7.1.1 | Background checks of candidates
    A.7.1.2 | Security duties in employment contracts
  A.7.2 | During employment
    A.7.2.1 | Managers require security of their people
    A.7.2.2 | Awareness, education and training in security
    A.7.2.3 | Disciplinary procedure for breaches of policy
  A.7.3 | End and change of employment
    A.7.3.1 | Duties that continue after employment ends or changes
A.8 | Managing assets
  A.8.1 | Responsibility for assets
    A.8.1.1 | Asset inventory
    A.8.1.2 | Assets have owners
    A.8.1.3 | Rules for use of assets
    A.8.1.4 | Assets returned at the end of employment or contract
  A.8.2 | Classifying information
    A.8.2.1 | Information classified by need of protection
    A.8.2.2 | Information labelled by class
    A.8.2.3 | Assets handled by class
  A.8.3 | Storage media
    A.8.3.1 | Removable media managed
    A.8.3.2 | Media disposed of securely
    A.8.3.3 | Media protected in transport
A.9 | Controlling access
  A.9.1 | Business requirements of access
    A.9.1.1 | Policy on access
    A.9.1.2 | Access to networks and network services
  A.9.2 | Managing access of users
    A.9.2.1 | Users registered and deregistered
    A.9.2.2 | Access granted by procedure
    A.9.2.3 | Privileged access rights managed
    A.9.2.4 | Credentials allocated securely
    A.9.2.5 | Access rights reviewed
    A.9.2.6 | Access rights removed or adjusted
  A.9.3 | Responsibilities of users
    A.9.3.1 | Users keep credentials secret
  A.9.4 | Access to systems and applications
    A.9.4.1 | Access to information restricted by policy
    A.9.4.2 | Secure sign-in procedures
    A.9.4.3 | Passwords managed by a system
    A.9.4.4 | Use of privileged utility programs restricted
    A.9.4.5 | Access to source code managed
A.10 | Cryptography
  A.10.1 | Controls for cryptography
    A.10.1.1 | Policy on use of cryptography
    A.10.1.2 | Keys managed over their life cycle
A.11 | Physical security and surroundings
  A.11.1 | Secure areas
    A.11.1.1 | Security perimeters around sensitive areas
    A.11.1.2 | Entry to secure areas controlled
    A.11.1.3 | Offices, rooms and facilities secured
    A.11.1.4 | Protection against external and environmental threats
    A.11.1.5 | Rules for work in secure areas
    A.11.1.6 | Deliveries and loading controlled
  A.11.2 | Equipment
    A.11.2.1 | Equipment placed securely
    A.11.2.2 | Protection against failures of power and other utilities
    A.11.2.3 | Power and data cables protected
    A.11.2.4 | Equipment maintained correctly
    A.11.2.5 | Assets taken off the premises only with permission
    A.11.2.6 | Assets protected off the premises
    A.11.2.7 | Data removed before equipment is disposed of or reused
    A.11.2.8 | Unattended equipment of users protected
    A.11.2.9 | Clear desks and locked screens
A.12 | Security of operations
  A.12.1 | Operating procedures and duties
    A.12.1.1 | Operating procedures documented
    A.12.1.2 | Changes managed by procedure
    A.12.1.3 | Capacity monitored and adjusted
    A.12.1.4 | Development, test and production separated
  A.12.2 | Malware
    A.12.2.1 | Protection from malware
  A.12.3 | Backups
    A.12.3.1 | Backups made and restoring tested
  A.12.4 | Logging and monitoring events
    A.12.4.1 | Events logged
    A.12.4.2 | Logs protected
    A.12.4.3 | Activities of administrators logged
    A.12.4.4 | Clocks synchronized
  A.12.5 | Software in operation
    A.12.5.1 | Software installation on live systems controlled
  A.12.6 | Technical vulnerabilities
    A.12.6.1 | Technical vulnerabilities identified and treated
    A.12.6.2 | Software installation by users restricted
  A.12.7 | Audits of systems
    A.12.7.1 | Systems protected during audit tests
A.13 | Security of communications
  A.13.1 | Security of networks
    A.13.1.1 | Networks controlled and managed
    A.13.1.2 | Security of network services agreed
    A.13.1.3 | Networks segregated
  A.13.2 | Transferring information
    A.13.2.1 | Rules for transferring information
    A.13.2.2 | Agreements on transferring information
    A.13.2.3 | Electronic messages protected
    A.13.2.4 | Confidentiality agreements
A.14 | Acquiring, developing and maintaining systems
  A.14.1 | Security requirements of systems
    A.14.1.1 | Security requirements analysed and specified
    A.14.1.2 | Application services on public networks secured
    A.14.1.3 | Transactions of application services protected
  A.14.2 | Security in development and support
    A.14.2.1 | Rules for secure development
    A.14.2.2 | Changes to systems follow a procedure
    A.14.2.3 | Applications reviewed after platform changes
    A.14.2.4 | Changes to software packages restricted
    A.14.2.5 | Principles of secure system engineering
    A.14.2.6 | Development environment secured
    A.14.2.7 | Outsourced development supervised
    A.14.2.8 | Security tested in development
    A.14.2.9 | Systems tested before acceptance
  A.14.3 | Data for tests
    A.14.3.1 | Test data protected
A.15 | Suppliers
  A.15.1 | Security in relations with suppliers
    A.15.1.1 | Policy on supplier security
    A.15.1.2 | Security requirements in supplier agreements
    A.15.1.3 | Risks of the ICT supply chain
  A.15.2 | Delivery of supplier services
    A.15.2.1 | Supplier services monitored and reviewed
    A.15.2.2 | Changes to supplier services managed
A.16 | Managing incidents
  A.16.1 | Incidents managed and learned from
    A.16.1.1 | Duties and procedures for incidents
    A.16.1.2 | Security events reported
    A.16.1.3 | Security weaknesses reported
    A.16.1.4 | Security events assessed and decided on
    A.16.1.5 | Incidents responded to by procedure
    A.16.1.6 | Lessons learned from incidents
    A.16.1.7 | Evidence identified, collected and preserved
A.17 | Continuity
  A.17.1 | Continuity of security
    A.17.1.1 | Continuity of security planned
    A.17.1.2 | Continuity of security implemented
    A.17.1.3 | Continuity of security verified and reviewed
  A.17.2 | Redundant facilities
    A.17.2.1 | Redundancy that meets availability needs
A.18 | Compliance
  A.18.1 | Legal and contractual requirements
    A.18.1.1 | Applicable requirements identified
    A.18.1.2 | Intellectual property respected
    A.18.1.3 | Records protected from loss and falsification
    A.18.1.4 | Privacy and personal data protected
    A.18.1.5 | Legal rules on cryptography followed
  A.18.2 | Reviews of security
    A.18.2.1 | Security reviewed independently
    A.18.2.2 | Compliance with policies and standards reviewed
    A.18.2.3 | Technical compliance reviewed
`,
})
