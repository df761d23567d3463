import { catalogOf } from './outline.ts'

export const soc2 = catalogOf({
  key: 'urn:plumbline:framework:soc-2',
  edition: '2017 (revised 2022)',
  name: 'SOC 2, trust services criteria',
  shortName: 'SOC 2',
  publisher: 'AICPA',
  category: 'security',
  jurisdiction: 'US',
  sourceDate: '2022-10-15',
  source: 'AICPA TSP section 100, 2017 trust services criteria with points of focus revised in 2022',
  levels: [
    { key: 'security', title: 'Security', about: 'The common criteria, which every report has' },
    { key: 'availability', title: 'Availability' },
    { key: 'confidentiality', title: 'Confidentiality' },
    { key: 'processing_integrity', title: 'Processing integrity' },
    { key: 'privacy', title: 'Privacy' },
  ],
  outline: `
CC | Common criteria [security]
  CC1 | Surroundings in which control works
    CC1.1 | Integrity and values are lived
    CC1.2 | The board is independent and oversees
    CC1.3 | Structures, reporting lines and authority
    CC1.4 | Able people are won, developed and kept
    CC1.5 | People answer for their part in control
  CC2 | Information and communication
    CC2.1 | Good information is there to work with
    CC2.2 | People inside are told their goals and duties
    CC2.3 | People outside are told what bears on control
  CC3 | Assessing risk
    CC3.1 | Goals are clear enough to see their risks
    CC3.2 | Risks are found and analysed
    CC3.3 | Fraud is thought of
    CC3.4 | Changes that could matter are noticed
  CC4 | Watching over control
    CC4.1 | It is evaluated, ongoing or apart
    CC4.2 | What is lacking is told to who can mend it
  CC5 | Control activities
    CC5.1 | They are chosen to lower risk
    CC5.2 | General controls over technology
    CC5.3 | Policies say what is expected, procedures do it
  CC6 | Access, logical and physical
    CC6.1 | Logical access is built to protect information
    CC6.2 | Users are registered before they get credentials, and removed
    CC6.3 | Rights follow roles, least first, duties parted
    CC6.4 | Physical access is limited
    CC6.5 | Protection ends only when data is gone from what is disposed of
    CC6.6 | Threats from outside the borders are kept off
    CC6.7 | Moving and removing information is limited and protected
    CC6.8 | Software nobody allowed is prevented or found
  CC7 | Running the systems
    CC7.1 | New weaknesses and changed configurations are found
    CC7.2 | The unusual is watched for and analysed
    CC7.3 | Events are judged: are they incidents?
    CC7.4 | Incidents are answered by a programme
    CC7.5 | Recovery from incidents
  CC8 | Changes
    CC8.1 | Changes are authorized, tested, approved and made
  CC9 | Lowering risk
    CC9.1 | Disruptions of the business are provided for
    CC9.2 | Risks of vendors and partners are managed
A | Availability [availability]
  A1.1 | Capacity is watched and planned
  A1.2 | Surroundings, backups and recovery are provided
  A1.3 | Recovery is tested
C | Confidentiality [confidentiality]
  C1.1 | What is confidential is known and kept
  C1.2 | What is confidential is disposed of
PI | Processing integrity [processing_integrity]
  PI1.1 | Information on what is processed, and how, is there
  PI1.2 | Input is complete and right
  PI1.3 | Processing does what it is meant to
  PI1.4 | Output is complete, right and in time
  PI1.5 | What is stored is complete and right
P | Privacy [privacy]
  P1 | Notice
    P1.1 | People are told of privacy practices
  P2 | Choice and consent
    P2.1 | People can choose, and consent is obtained
  P3 | Collection
    P3.1 | Personal data is collected for its purpose
    P3.2 | Explicit consent comes before what needs it
  P4 | Use, keeping and disposal
    P4.1 | It is used for its purpose
    P4.2 | It is kept for its purpose
    P4.3 | It is disposed of securely
  P5 | Access
    P5.1 | People can see what is kept on them
    P5.2 | People can have it corrected
  P6 | Disclosure and notification
    P6.1 | It goes to third parties with consent
    P6.2 | Permitted disclosures are recorded
    P6.3 | Disclosures by breach are recorded
    P6.4 | Vendors promise to protect it
    P6.5 | Vendors promise to report breaches
    P6.6 | Breaches are told to those concerned
    P6.7 | People can have an account of disclosures
  P7 | Quality
    P7.1 | It is right, current and complete
  P8 | Monitoring and enforcement
    P8.1 | Complaints are taken and settled, and compliance is watched
`,
})
