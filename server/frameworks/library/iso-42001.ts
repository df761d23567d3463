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
4 | The organization and what surrounds it
  4.1 | What inside and outside bears on its use of AI
  4.2 | Who expects what of the organization
  4.3 | How far the management system reaches
  4.4 | A management system that is run and improved
5 | What top management does
  5.1 | Top management stands behind it
  5.2 | A policy for AI
  5.3 | Who answers for what
6 | Planning
  6.1 | Dealing with risks and chances
    6.1.1 | What could keep the system from its aims
    6.1.2 | A method to assess risks of AI
    6.1.3 | A method to treat them, and the statement of applicability
    6.1.4 | What AI systems do to people and society is assessed
  6.2 | Goals for AI, and the way to them
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
  8.2 | Risks of AI are assessed again and again
  8.3 | Risks of AI are treated as planned
  8.4 | Impacts are assessed again and again
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
  A.2 | Policies on AI
    A.2.2 | There is a policy on AI
    A.2.3 | It agrees with other policies
    A.2.4 | It is reviewed
  A.3 | How it is organized
    A.3.2 | Roles and duties for AI are given out
    A.3.3 | People can voice concerns
  A.4 | What AI systems need
    A.4.2 | What they need is recorded
    A.4.3 | Data they use is recorded
    A.4.4 | Tools they use are recorded
    A.4.5 | Systems and computing they use are recorded
    A.4.6 | People and skills they need are recorded
  A.5 | Impacts
    A.5.2 | A process to assess impacts
    A.5.3 | Assessments are written down and kept
    A.5.4 | Impacts on people and groups
    A.5.5 | Impacts on society
  A.6 | Life of an AI system
    A.6.1 | Guidance for development
      A.6.1.2 | Goals of responsible development
      A.6.1.3 | Processes of responsible design and development
    A.6.2 | From first to last
      A.6.2.2 | What the system has to do is specified
      A.6.2.3 | Design and development are documented
      A.6.2.4 | It is verified and validated
      A.6.2.5 | A plan to bring it into use
      A.6.2.6 | It is run, watched and kept up
      A.6.2.7 | Technical documentation for those who need it
      A.6.2.8 | Its events are logged
  A.7 | Data
    A.7.2 | Data for development is managed
    A.7.3 | How data is acquired and chosen
    A.7.4 | Data is good enough
    A.7.5 | Where data comes from is recorded
    A.7.6 | How data is prepared is set
  A.8 | Telling those concerned
    A.8.2 | Users have what they need to know
    A.8.3 | Others can report harm
    A.8.4 | Incidents are told
    A.8.5 | Duties to inform are known and met
  A.9 | Using AI systems
    A.9.2 | Processes of responsible use
    A.9.3 | Goals of responsible use
    A.9.4 | Systems are used for what they are meant for
  A.10 | Third parties and customers
    A.10.2 | Duties are shared out along the chain
    A.10.3 | Suppliers fit one’s own ways
    A.10.4 | What customers expect and need is looked at
`,
})
