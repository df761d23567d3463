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
  CC1 | Control environment
    CC1.1 | Integrity and ethical values
    CC1.2 | Board independence and oversight
    CC1.3 | Structures, reporting lines, authorities and responsibilities
    CC1.4 | Commitment to competence
    CC1.5 | Accountability for internal control
  CC2 | Communication and information
    CC2.1 | Quality of information
    CC2.2 | Internal communication
    CC2.3 | External communication
  CC3 | Risk assessment
    CC3.1 | Specification of objectives
    CC3.2 | Risk identification and analysis
    CC3.3 | Fraud risk assessment
    CC3.4 | Assessment of significant changes
  CC4 | Monitoring activities
    CC4.1 | Ongoing and separate evaluations
    CC4.2 | Evaluation and communication of deficiencies
  CC5 | Control activities
    CC5.1 | Selection and development of control activities
    CC5.2 | General controls over technology
    CC5.3 | Deployment through policies and procedures
  CC6 | Logical and physical access controls
    CC6.1 | Logical access security
    CC6.2 | User registration, authorization and removal
    CC6.3 | Role-based access, least privilege and segregation of duties
    CC6.4 | Physical access restrictions
    CC6.5 | Disposal of physical assets and data
    CC6.6 | Protection against threats from outside system boundaries
    CC6.7 | Transmission, movement and removal of information
    CC6.8 | Prevention and detection of unauthorized or malicious software
  CC7 | System operations
    CC7.1 | Detection of configuration changes and vulnerabilities
    CC7.2 | Monitoring for anomalies and security events
    CC7.3 | Evaluation of security events
    CC7.4 | Incident response
    CC7.5 | Recovery from incidents
  CC8 | Change management
    CC8.1 | Authorization, testing, approval and implementation of changes
  CC9 | Risk mitigation
    CC9.1 | Mitigation of business disruption risks
    CC9.2 | Vendor and business partner risk management
A | Availability [availability]
  A1.1 | Capacity management
  A1.2 | Environmental protections, backup and recovery infrastructure
  A1.3 | Recovery plan testing
C | Confidentiality [confidentiality]
  C1.1 | Identification and maintenance of confidential information
  C1.2 | Disposal of confidential information
PI | Processing integrity [processing_integrity]
  PI1.1 | Information about processing objectives
  PI1.2 | Completeness and accuracy of inputs
  PI1.3 | System processing
  PI1.4 | Delivery of outputs
  PI1.5 | Storage of inputs, items in processing and outputs
P | Privacy [privacy]
  P1 | Notice and communication of objectives
    P1.1 | Privacy notice
  P2 | Choice and consent
    P2.1 | Communication of choices and consent
  P3 | Collection
    P3.1 | Collection consistent with objectives
    P3.2 | Explicit consent
  P4 | Use, retention and disposal
    P4.1 | Use limited to the stated purposes
    P4.2 | Retention
    P4.3 | Secure disposal
  P5 | Access
    P5.1 | Access of data subjects to their personal information
    P5.2 | Correction of personal information
  P6 | Disclosure and notification
    P6.1 | Disclosure to third parties with consent
    P6.2 | Record of authorized disclosures
    P6.3 | Record of unauthorized disclosures
    P6.4 | Privacy commitments of vendors
    P6.5 | Breach notification commitments of vendors
    P6.6 | Notification of breaches and incidents
    P6.7 | Accounting of personal information held and disclosed
  P7 | Quality
    P7.1 | Accurate, up-to-date, complete and relevant personal information
  P8 | Monitoring and enforcement
    P8.1 | Complaints, disputes and monitoring of compliance
`,
})
