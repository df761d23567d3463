import { catalogOf } from './outline.ts'

export const iso27001of2022 = catalogOf({
  key: 'urn:plumbline:framework:iso-27001',
  edition: '2022',
  name: 'ISO/IEC 27001:2022, information security management',
  shortName: 'ISO 27001',
  publisher: 'ISO/IEC',
  category: 'security',
  sourceDate: '2022-10-25',
  source: 'ISO/IEC 27001:2022 (third edition), clauses 4 to 10 and Annex A',
  outline: `
4 | The organization and what surrounds it
  4.1 | What inside and outside bears on security
  4.2 | Who expects what of the organization
  4.3 | How far the management system reaches
  4.4 | A management system that is run and improved
5 | What top management does
  5.1 | Top management stands behind it
  5.2 | A policy for information security
  5.3 | Who answers for what
6 | Planning
  6.1 | Dealing with risks and chances
    6.1.1 | What could keep the system from its aims
    6.1.2 | A method to assess security risks
    6.1.3 | A method to treat them, and the statement of applicability
  6.2 | Security goals, and the way to them
  6.3 | Changes to the system are planned
7 | What the system needs
  7.1 | Means to run it
  7.2 | People who can do their work
  7.3 | People who know what matters
  7.4 | Who tells whom what, and when
  7.5 | Written information
    7.5.1 | What has to be written down
    7.5.2 | How documents are made and revised
    7.5.3 | How documents are kept and given out
8 | Doing it
  8.1 | Processes are planned and kept in hand
  8.2 | Risks are assessed again and again
  8.3 | Risks are treated as planned
9 | Looking at how it goes
  9.1 | Measuring, and judging what was measured
  9.2 | Auditing oneself
    9.2.1 | Audits at planned times
    9.2.2 | A programme of audits
  9.3 | Review by top management
    9.3.1 | It is held at planned times
    9.3.2 | What it looks at
    9.3.3 | What it decides
10 | Becoming better
  10.1 | The system is improved without end
  10.2 | What goes wrong is mended with its cause
A | Controls to choose from
  A.5 | Organization
    A.5.1 | Security policies, approved, known and reviewed
    A.5.2 | Security roles are given to people
    A.5.3 | Duties that conflict lie in different hands
    A.5.4 | Managers ask for security of their people
    A.5.5 | Contact with authorities is kept up
    A.5.6 | Contact with professional circles is kept up
    A.5.7 | Knowledge of threats is gathered and used
    A.5.8 | Projects take care of security
    A.5.9 | What is of value is listed, with its owner
    A.5.10 | Rules for using and handling what is of value
    A.5.11 | What was handed out is given back
    A.5.12 | Information is classified by its need of protection
    A.5.13 | Information is labelled by its class
    A.5.14 | Rules for passing information on
    A.5.15 | Rules for who gets at what
    A.5.16 | Identities are managed from first to last
    A.5.17 | Passwords and other secrets are given out and handled with care
    A.5.18 | Access rights are given, reviewed and taken away
    A.5.19 | Risks that come with suppliers are dealt with
    A.5.20 | Contracts with suppliers say what security asks
    A.5.21 | Risks along the chain of ICT suppliers are dealt with
    A.5.22 | Suppliers are watched, and their changes managed
    A.5.23 | Cloud services are chosen, used and left with care
    A.5.24 | The handling of incidents is prepared
    A.5.25 | Events are judged: are they incidents?
    A.5.26 | Incidents are answered by written procedures
    A.5.27 | Incidents make controls better
    A.5.28 | Evidence is collected and kept so that it holds
    A.5.29 | Security holds through disruptions
    A.5.30 | ICT is ready for what continuity asks
    A.5.31 | Duties by law and contract are known and met
    A.5.32 | What belongs to others is respected
    A.5.33 | Records are kept from loss and tampering
    A.5.34 | Personal data is protected
    A.5.35 | Independent people review security
    A.5.36 | It is checked that policies and rules are kept
    A.5.37 | Operating procedures are written down
  A.6 | People
    A.6.1 | Who is to be hired is checked
    A.6.2 | Employment contracts speak of security
    A.6.3 | People are made aware and trained
    A.6.4 | Breaches of policy have a known procedure
    A.6.5 | Duties that outlast a job are told and enforced
    A.6.6 | Promises of secrecy are signed
    A.6.7 | Work away from the office is protected
    A.6.8 | People can report what they notice
  A.7 | Places and equipment
    A.7.1 | Areas have borders that protect them
    A.7.2 | Doors let in whom they should
    A.7.3 | Offices and rooms are secured
    A.7.4 | Premises are watched for intruders
    A.7.5 | Fire, water and other dangers are provided for
    A.7.6 | Rules for work in secure areas
    A.7.7 | Desks and screens are left clear
    A.7.8 | Equipment stands where it is safe
    A.7.9 | What is used elsewhere is protected there
    A.7.10 | Media are managed as long as they exist
    A.7.11 | Power and other supplies may fail
    A.7.12 | Cables are protected
    A.7.13 | Equipment is maintained
    A.7.14 | Equipment is wiped before it goes
  A.8 | Technology
    A.8.1 | Devices of users are protected
    A.8.2 | Privileged rights are few and managed
    A.8.3 | Access to information is limited by policy
    A.8.4 | Access to source code is managed
    A.8.5 | Signing in is secure
    A.8.6 | Capacity is watched and adjusted
    A.8.7 | Malware is kept off
    A.8.8 | Technical weaknesses are found and dealt with
    A.8.9 | Configurations are set, recorded and checked
    A.8.10 | What is no longer needed is deleted
    A.8.11 | Sensitive data is masked
    A.8.12 | Data is kept from leaking
    A.8.13 | Backups are made, and restored to test them
    A.8.14 | Enough is there twice to stay available
    A.8.15 | What happens is logged, and logs are protected
    A.8.16 | Networks and systems are watched for the unusual
    A.8.17 | Clocks agree
    A.8.18 | Tools that override controls are held tightly
    A.8.19 | Installing software in operation is governed
    A.8.20 | Networks are secured and managed
    A.8.21 | Network services have agreed security
    A.8.22 | Networks are parted
    A.8.23 | Access to outside websites is filtered
    A.8.24 | Rules for encryption and keys
    A.8.25 | Rules for developing securely
    A.8.26 | Applications have stated security needs
    A.8.27 | Principles for building secure systems
    A.8.28 | Code is written securely
    A.8.29 | Security is tested before acceptance
    A.8.30 | Development by others is directed and checked
    A.8.31 | Development, test and production are apart
    A.8.32 | Changes follow a procedure
    A.8.33 | Test data is chosen and protected
    A.8.34 | Audits do not harm what they look at
`,
})
