import { catalogOf } from './outline.ts'

export const gdpr = catalogOf({
  key: 'urn:plumbline:framework:gdpr',
  edition: '2016/679',
  name: 'General Data Protection Regulation, (EU) 2016/679',
  shortName: 'GDPR',
  publisher: 'European Union',
  category: 'privacy',
  jurisdiction: 'EU',
  sourceDate: '2016-05-04',
  source: 'Regulation (EU) 2016/679, OJ L 119, articles 1 to 99',
  outline: `
Chapter I | General provisions
  ~ Art. 1 | Subject matter and objectives
  ~ Art. 2 | Material scope
  ~ Art. 3 | Territorial scope
  ~ Art. 4 | Definitions
Chapter II | Principles
  Art. 5 | The principles of processing, and proof that they are kept
  Art. 6 | A lawful ground for each processing
  Art. 7 | Consent that counts
  Art. 8 | Consent of children to online services
  Art. 9 | Special categories of data
  Art. 10 | Data on convictions and offences
  Art. 11 | Processing that needs no identification
Chapter III | Rights of the people concerned
  Art. 12 | Clear words, and answers in time
  Art. 13 | What people are told when data comes from them
  Art. 14 | What people are told when it comes from elsewhere
  Art. 15 | The right to see one’s data
  Art. 16 | The right to have it corrected
  Art. 17 | The right to have it erased
  Art. 18 | The right to have processing restricted
  Art. 19 | Telling recipients of correction, erasure, restriction
  Art. 20 | The right to take one’s data along
  Art. 21 | The right to object
  Art. 22 | Decisions by machines alone
  ~ Art. 23 | How law may restrict these rights
Chapter IV | Controllers and processors
  Art. 24 | What a controller answers for
  Art. 25 | Protection by design and by default
  Art. 26 | Controllers who act together
  Art. 27 | A representative in the Union
  Art. 28 | Processors, and the contract with them
  Art. 29 | Processing on instruction only
  Art. 30 | Records of processing
  Art. 31 | Working with the authority
  Art. 32 | Security that fits the risk
  Art. 33 | Reporting breaches to the authority
  Art. 34 | Telling the people concerned of a breach
  Art. 35 | Assessing the impact beforehand
  Art. 36 | Asking the authority beforehand
  Art. 37 | A data protection officer
  Art. 38 | The officer’s position
  Art. 39 | The officer’s tasks
  ~ Art. 40 | Codes of conduct
  ~ Art. 41 | Who watches over codes
  ~ Art. 42 | Certification
  ~ Art. 43 | Who certifies
Chapter V | Data that leaves the Union
  Art. 44 | The principle for each transfer
  Art. 45 | Transfers to where protection is adequate
  Art. 46 | Transfers with safeguards
  Art. 47 | Binding rules of a group
  Art. 48 | Demands of foreign courts and authorities
  Art. 49 | Exceptions
  ~ Art. 50 | Cooperation with other countries
Chapter VI | Independent authorities
  ~ Art. 51 | There is an authority
  ~ Art. 52 | It is independent
  ~ Art. 53 | Its members
  ~ Art. 54 | How it is set up
  ~ Art. 55 | What it is competent for
  ~ Art. 56 | The lead authority
  ~ Art. 57 | Its tasks
  ~ Art. 58 | Its powers
  ~ Art. 59 | Its reports
Chapter VII | Authorities together
  ~ Art. 60 | Lead authority and the others
  ~ Art. 61 | Helping each other
  ~ Art. 62 | Acting jointly
  ~ Art. 63 | Applying the law alike
  ~ Art. 64 | Opinions of the Board
  ~ Art. 65 | The Board settles disputes
  ~ Art. 66 | Urgent cases
  ~ Art. 67 | Exchange of information
  ~ Art. 68 | The European Data Protection Board
  ~ Art. 69 | It is independent
  ~ Art. 70 | Its tasks
  ~ Art. 71 | Its reports
  ~ Art. 72 | How it decides
  ~ Art. 73 | Its chair
  ~ Art. 74 | Tasks of the chair
  ~ Art. 75 | Its secretariat
  ~ Art. 76 | What it keeps to itself
Chapter VIII | Remedies, liability, penalties
  ~ Art. 77 | Complaints to an authority
  ~ Art. 78 | Remedies against an authority
  ~ Art. 79 | Remedies against controllers and processors
  ~ Art. 80 | Who may stand for people
  ~ Art. 81 | Proceedings that run twice
  ~ Art. 82 | Damages
  ~ Art. 83 | Fines
  ~ Art. 84 | Other penalties
Chapter IX | Special situations
  ~ Art. 85 | Freedom of expression
  ~ Art. 86 | Official documents
  ~ Art. 87 | National numbers
  ~ Art. 88 | Employment
  ~ Art. 89 | Archives, research, statistics
  ~ Art. 90 | Secrecy
  ~ Art. 91 | Churches
Chapter X | Further acts
  ~ Art. 92 | Powers given to the Commission
  ~ Art. 93 | Its committee
Chapter XI | At the end
  ~ Art. 94 | The directive that it replaces
  ~ Art. 95 | How it stands to 2002/58/EC
  ~ Art. 96 | Older agreements
  ~ Art. 97 | Reports of the Commission
  ~ Art. 98 | Review of other acts
  ~ Art. 99 | From when it applies
`,
})
