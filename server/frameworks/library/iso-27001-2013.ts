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
  A.5.1 | Direction by management
    A.5.1.1 | There are security policies
    A.5.1.2 | They are reviewed
A.6 | How security is organized
  A.6.1 | Within the organization
    A.6.1.1 | Roles and duties are given out
    A.6.1.2 | Conflicting duties are parted
    A.6.1.3 | Contact with authorities
    A.6.1.4 | Contact with professional circles
    A.6.1.5 | Security in projects
  A.6.2 | On the move and from afar
    A.6.2.1 | Rules for mobile devices
    A.6.2.2 | Rules for working from afar
A.7 | People
  A.7.1 | Before they begin
    A.7.1.1 | Checks before hiring
    A.7.1.2 | What contracts of work say
  A.7.2 | While they work here
    A.7.2.1 | Managers ask for security
    A.7.2.2 | Awareness and training
    A.7.2.3 | What follows a breach of policy
  A.7.3 | When they go or change
    A.7.3.1 | Duties that go on
A.8 | What is of value
  A.8.1 | Who answers for it
    A.8.1.1 | It is listed
    A.8.1.2 | It has an owner
    A.8.1.3 | Rules for its use
    A.8.1.4 | It is given back
  A.8.2 | Classes of information
    A.8.2.1 | Information is classified
    A.8.2.2 | Information is labelled
    A.8.2.3 | It is handled by its class
  A.8.3 | Media
    A.8.3.1 | Removable media are managed
    A.8.3.2 | Media are disposed of safely
    A.8.3.3 | Media are protected on their way
A.9 | Access
  A.9.1 | What the business asks of it
    A.9.1.1 | A policy on access
    A.9.1.2 | Access to networks and their services
  A.9.2 | Managing users
    A.9.2.1 | Users are registered and removed
    A.9.2.2 | Access is granted by a procedure
    A.9.2.3 | Privileged rights are managed
    A.9.2.4 | Secrets are handed out with care
    A.9.2.5 | Rights are reviewed
    A.9.2.6 | Rights are taken away or adjusted
  A.9.3 | What users do
    A.9.3.1 | Users keep their secrets
  A.9.4 | Access to systems
    A.9.4.1 | Access to information is limited
    A.9.4.2 | Signing in is secure
    A.9.4.3 | Passwords are managed
    A.9.4.4 | Powerful utilities are held tightly
    A.9.4.5 | Access to source code is managed
A.10 | Cryptography
  A.10.1 | How it is used
    A.10.1.1 | A policy on its use
    A.10.1.2 | Keys are managed
A.11 | Places and equipment
  A.11.1 | Secure areas
    A.11.1.1 | Areas have borders
    A.11.1.2 | Entry is controlled
    A.11.1.3 | Offices and rooms are secured
    A.11.1.4 | Dangers from outside are provided for
    A.11.1.5 | Work in secure areas
    A.11.1.6 | Deliveries come in under control
  A.11.2 | Equipment
    A.11.2.1 | Where it stands
    A.11.2.2 | Supplies may fail
    A.11.2.3 | Cables are protected
    A.11.2.4 | It is maintained
    A.11.2.5 | It leaves by permission only
    A.11.2.6 | It is protected elsewhere
    A.11.2.7 | It is wiped before it goes
    A.11.2.8 | It is protected when nobody is there
    A.11.2.9 | Desks and screens are left clear
A.12 | Operations
  A.12.1 | Procedures and duties
    A.12.1.1 | Procedures are written down
    A.12.1.2 | Changes are managed
    A.12.1.3 | Capacity is managed
    A.12.1.4 | Development, test and operation are apart
  A.12.2 | Malware
    A.12.2.1 | It is kept off
  A.12.3 | Backup
    A.12.3.1 | Information is backed up
  A.12.4 | Logs
    A.12.4.1 | Events are logged
    A.12.4.2 | Logs are protected
    A.12.4.3 | What administrators do is logged
    A.12.4.4 | Clocks agree
  A.12.5 | Software in operation
    A.12.5.1 | Installing it is governed
  A.12.6 | Technical weaknesses
    A.12.6.1 | They are dealt with
    A.12.6.2 | Users install only what they may
  A.12.7 | Audits of systems
    A.12.7.1 | They disturb as little as can be
A.13 | Communication
  A.13.1 | Networks
    A.13.1.1 | Networks are controlled
    A.13.1.2 | Network services are secure
    A.13.1.3 | Networks are parted
  A.13.2 | Passing information on
    A.13.2.1 | Rules for it
    A.13.2.2 | Agreements on it
    A.13.2.3 | Electronic messages
    A.13.2.4 | Promises of secrecy
A.14 | Systems, from buying to upkeep
  A.14.1 | What they have to do for security
    A.14.1.1 | It is analysed and specified
    A.14.1.2 | Applications over public networks
    A.14.1.3 | Transactions of applications
  A.14.2 | Development and support
    A.14.2.1 | Rules for secure development
    A.14.2.2 | Changes follow a procedure
    A.14.2.3 | Applications are reviewed when platforms change
    A.14.2.4 | Bought packages are changed little
    A.14.2.5 | Principles of secure engineering
    A.14.2.6 | A secure place to develop
    A.14.2.7 | Development by others is watched
    A.14.2.8 | Security is tested on the way
    A.14.2.9 | Systems are tested before they are accepted
  A.14.3 | Test data
    A.14.3.1 | It is protected
A.15 | Suppliers
  A.15.1 | Security with them
    A.15.1.1 | A policy on suppliers
    A.15.1.2 | Agreements with them
    A.15.1.3 | The chain of ICT supply
  A.15.2 | What they deliver
    A.15.2.1 | It is watched and reviewed
    A.15.2.2 | Its changes are managed
A.16 | Incidents
  A.16.1 | Managing them, and becoming better
    A.16.1.1 | Duties and procedures
    A.16.1.2 | Events are reported
    A.16.1.3 | Weaknesses are reported
    A.16.1.4 | Events are judged
    A.16.1.5 | Incidents are answered
    A.16.1.6 | Incidents are learned from
    A.16.1.7 | Evidence is collected
A.17 | Continuity
  A.17.1 | Security that goes on
    A.17.1.1 | It is planned
    A.17.1.2 | It is put in place
    A.17.1.3 | It is tried out and judged
  A.17.2 | Spare capacity
    A.17.2.1 | Facilities stay available
A.18 | Compliance
  A.18.1 | Law and contracts
    A.18.1.1 | What applies is known
    A.18.1.2 | What belongs to others is respected
    A.18.1.3 | Records are protected
    A.18.1.4 | Personal data is protected
    A.18.1.5 | Law on cryptography is kept
  A.18.2 | Reviews
    A.18.2.1 | Independent people review security
    A.18.2.2 | Policies and standards are kept
    A.18.2.3 | Systems are checked technically
`,
})
