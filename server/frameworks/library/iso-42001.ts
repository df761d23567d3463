import { catalogOf } from './outline.ts'

export const iso42001 = catalogOf({
  key: 'urn:plumbline:framework:iso-42001',
  edition: '2023',
  name: 'ISO/IEC 42001:2023, management of artificial intelligence',
  shortName: 'ISO 42001',
  publisher: 'ISO/IEC',
  category: 'ai_governance',
  sourceDate: '2023-12-18',
  source: 'ISO/IEC 42001:2023 (first edition), clauses 4 to 10 and Annex A',
  outline: `
4 | The organization in its setting
  4.1 | Internal and external issues that bear on the use of AI
  4.2 | Needs and expectations of interested parties
  4.3 | Scope of the management system
  4.4 | The management system as a whole
5 | Responsibility of top management
  5.1 | Commitment of top management
  5.2 | AI policy
  5.3 | Assigned roles and authority
6 | Planning
  6.1 | Risks and opportunities
    6.1.1 | Risks and opportunities of the management system
    6.1.2 | Method of assessing AI risks
    6.1.3 | Method of treating AI risks, and the statement of applicability
    6.1.4 | Assessment of impacts of AI systems
  6.2 | AI objectives and plans to reach them
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
  8.2 | AI risk assessments carried out
  8.3 | AI risk treatment carried out
  8.4 | Impact assessments carried out
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
  A.2 | Policies on AI
    A.2.2 | AI policy documented
    A.2.3 | AI policy aligned with other policies
    A.2.4 | AI policy reviewed
  A.3 | Organization of AI
    A.3.2 | Roles and duties for AI assigned
    A.3.3 | Concerns about AI can be reported
  A.4 | Resources of AI systems
    A.4.2 | Resources documented
    A.4.3 | Data resources documented
    A.4.4 | Tools documented
    A.4.5 | Systems and computing resources documented
    A.4.6 | People and competences documented
  A.5 | Impacts of AI systems
    A.5.2 | Process for assessing impacts
    A.5.3 | Impact assessments documented and kept
    A.5.4 | Impacts on people and groups assessed
    A.5.5 | Impacts on society assessed
  A.6 | Life cycle of AI systems
    A.6.1 | Guidance for development
      A.6.1.2 | Objectives of responsible development
      A.6.1.3 | Processes of responsible design and development
    A.6.2 | Stages of the life cycle
      A.6.2.2 | Requirements of AI systems specified
      A.6.2.3 | Design and development documented
      A.6.2.4 | AI systems verified and validated
      A.6.2.5 | Deployment planned
      A.6.2.6 | Operation and monitoring
      A.6.2.7 | Technical documentation provided
      A.6.2.8 | Events of AI systems logged
  A.7 | Data for AI systems
    A.7.2 | Data for development managed
    A.7.3 | Acquisition of data documented
    A.7.4 | Quality of data assured
    A.7.5 | Provenance of data recorded
    A.7.6 | Preparation of data defined
  A.8 | Information for interested parties
    A.8.2 | Information for users provided
    A.8.3 | Adverse impacts can be reported from outside
    A.8.4 | Incidents communicated
    A.8.5 | Duties to inform identified and met
  A.9 | Use of AI systems
    A.9.2 | Processes of responsible use
    A.9.3 | Objectives of responsible use
    A.9.4 | AI systems used as intended
  A.10 | Third parties and customers
    A.10.2 | Responsibilities allocated along the chain
    A.10.3 | Suppliers aligned with responsible use of AI
    A.10.4 | Expectations of customers considered
`,
})
