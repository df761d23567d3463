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
4 | Context of the organization
  4.1 | Understanding the organization and its context
  4.2 | Understanding the needs and expectations of interested parties
  4.3 | Determining the scope of the AI management system
  4.4 | AI management system
5 | Leadership
  5.1 | Leadership and commitment
  5.2 | AI policy
  5.3 | Roles, responsibilities and authorities
6 | Planning
  6.1 | Actions to address risks and opportunities
    6.1.1 | Actions to address risks and opportunities: general
    6.1.2 | AI risk assessment
    6.1.3 | AI risk treatment
    6.1.4 | AI system impact assessment
  6.2 | AI objectives and planning to achieve them
  6.3 | Planning of changes
7 | Support
  7.1 | Resources
  7.2 | Competence
  7.3 | Awareness
  7.4 | Communication
  7.5 | Documented information
    7.5.1 | Documented information: general
    7.5.2 | Creating and updating documented information
    7.5.3 | Control of documented information
8 | Operation
  8.1 | Operational planning and control
  8.2 | AI risk assessment
  8.3 | AI risk treatment
  8.4 | AI system impact assessment
9 | Performance evaluation
  9.1 | Monitoring, measurement, analysis and evaluation
  9.2 | Internal audit
    9.2.1 | Internal audit: general
    9.2.2 | Internal audit programme
  9.3 | Management review
    9.3.1 | Management review: general
    9.3.2 | Management review inputs
    9.3.3 | Management review results
10 | Improvement
  10.1 | Continual improvement
  10.2 | Nonconformity and corrective action
A | Reference control objectives and controls
  A.2 | Policies related to AI
    A.2.2 | AI policy
    A.2.3 | Alignment with other organizational policies
    A.2.4 | Review of the AI policy
  A.3 | Internal organization
    A.3.2 | AI roles and responsibilities
    A.3.3 | Reporting of concerns
  A.4 | Resources for AI systems
    A.4.2 | Resource documentation
    A.4.3 | Data resources
    A.4.4 | Tooling resources
    A.4.5 | System and computing resources
    A.4.6 | Human resources
  A.5 | Assessing impacts of AI systems
    A.5.2 | AI system impact assessment process
    A.5.3 | Documentation of AI system impact assessments
    A.5.4 | Assessing AI system impact on individuals or groups of individuals
    A.5.5 | Assessing societal impacts of AI systems
  A.6 | AI system life cycle
    A.6.1 | Management guidance for AI system development
      A.6.1.2 | Objectives for responsible development of AI system
      A.6.1.3 | Processes for responsible AI system design and development
    A.6.2 | AI system life cycle
      A.6.2.2 | AI system requirements and specification
      A.6.2.3 | Documentation of AI system design and development
      A.6.2.4 | AI system verification and validation
      A.6.2.5 | AI system deployment
      A.6.2.6 | AI system operation and monitoring
      A.6.2.7 | AI system technical documentation
      A.6.2.8 | AI system recording of event logs
  A.7 | Data for AI systems
    A.7.2 | Data for development and enhancement of AI system
    A.7.3 | Acquisition of data
    A.7.4 | Quality of data for AI systems
    A.7.5 | Data provenance
    A.7.6 | Data preparation
  A.8 | Information for interested parties of AI systems
    A.8.2 | System documentation and information for users
    A.8.3 | External reporting
    A.8.4 | Communication of incidents
    A.8.5 | Information for interested parties
  A.9 | Use of AI systems
    A.9.2 | Processes for responsible use of AI systems
    A.9.3 | Objectives for responsible use of AI system
    A.9.4 | Intended use of the AI system
  A.10 | Third-party and customer relationships
    A.10.2 | Allocating responsibilities
    A.10.3 | Suppliers
    A.10.4 | Customers
`,
})
