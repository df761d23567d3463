import { catalogOf } from './outline.ts'

export const euAiAct = catalogOf({
  key: 'urn:plumbline:framework:eu-ai-act',
  edition: '2024/1689',
  name: 'EU AI Act, Regulation (EU) 2024/1689',
  shortName: 'EU AI Act',
  publisher: 'European Union',
  category: 'ai_governance',
  jurisdiction: 'EU',
  sourceDate: '2024-07-12',
  source: 'Regulation (EU) 2024/1689, OJ L of 12 July 2024, articles 1 to 113, as first published',
  outline: `
Chapter I | General provisions
  ~ Art. 1 | Subject matter
  ~ Art. 2 | Scope
  ~ Art. 3 | Definitions
  Art. 4 | AI literacy
Chapter II | Prohibited AI practices
  Art. 5 | Prohibited AI practices
Chapter III | High-risk AI systems
  Section III.1 | Classification of AI systems as high-risk
    Art. 6 | Classification rules for high-risk AI systems
    ~ Art. 7 | Amendments to Annex III
  Section III.2 | Requirements for high-risk AI systems
    Art. 8 | Compliance with the requirements
    Art. 9 | Risk management system
    Art. 10 | Data and data governance
    Art. 11 | Technical documentation
    Art. 12 | Record-keeping
    Art. 13 | Transparency and provision of information to deployers
    Art. 14 | Human oversight
    Art. 15 | Accuracy, robustness and cybersecurity
  Section III.3 | Obligations of providers and deployers of high-risk AI systems and other parties
    Art. 16 | Obligations of providers of high-risk AI systems
    Art. 17 | Quality management system
    Art. 18 | Documentation keeping
    Art. 19 | Automatically generated logs
    Art. 20 | Corrective actions and duty of information
    Art. 21 | Cooperation with competent authorities
    Art. 22 | Authorised representatives of providers of high-risk AI systems
    Art. 23 | Obligations of importers
    Art. 24 | Obligations of distributors
    Art. 25 | Responsibilities along the AI value chain
    Art. 26 | Obligations of deployers of high-risk AI systems
    Art. 27 | Fundamental rights impact assessment for high-risk AI systems
  Section III.4 | Notifying authorities and notified bodies
    ~ Art. 28 | Notifying authorities
    ~ Art. 29 | Application of a conformity assessment body for notification
    ~ Art. 30 | Notification procedure
    ~ Art. 31 | Requirements relating to notified bodies
    ~ Art. 32 | Presumption of conformity with requirements relating to notified bodies
    ~ Art. 33 | Subsidiaries of notified bodies and subcontracting
    ~ Art. 34 | Operational obligations of notified bodies
    ~ Art. 35 | Identification numbers and lists of notified bodies
    ~ Art. 36 | Changes to notifications
    ~ Art. 37 | Challenge to the competence of notified bodies
    ~ Art. 38 | Coordination of notified bodies
    ~ Art. 39 | Conformity assessment bodies of third countries
  Section III.5 | Standards, conformity assessment, certificates, registration
    ~ Art. 40 | Harmonised standards and standardisation deliverables
    ~ Art. 41 | Common specifications
    ~ Art. 42 | Presumption of conformity with certain requirements
    Art. 43 | Conformity assessment
    ~ Art. 44 | Certificates
    ~ Art. 45 | Information obligations of notified bodies
    ~ Art. 46 | Derogation from conformity assessment procedure
    Art. 47 | EU declaration of conformity
    Art. 48 | CE marking
    Art. 49 | Registration
Chapter IV | Transparency obligations for providers and deployers of certain AI systems
  Art. 50 | Transparency obligations for providers and deployers of certain AI systems
Chapter V | General-purpose AI models
  Section V.1 | Classification rules
    ~ Art. 51 | Classification of general-purpose AI models as general-purpose AI models with systemic risk
    Art. 52 | Procedure
  Section V.2 | Obligations for providers of general-purpose AI models
    Art. 53 | Obligations for providers of general-purpose AI models
    Art. 54 | Authorised representatives of providers of general-purpose AI models
  Section V.3 | Obligations for providers of general-purpose AI models with systemic risk
    Art. 55 | Obligations for providers of general-purpose AI models with systemic risk
  Section V.4 | Codes of practice
    ~ Art. 56 | Codes of practice
Chapter VI | Measures in support of innovation
  ~ Art. 57 | AI regulatory sandboxes
  ~ Art. 58 | Detailed arrangements for and functioning of AI regulatory sandboxes
  ~ Art. 59 | Further processing of personal data for developing certain AI systems in the public interest in the AI regulatory sandbox
  Art. 60 | Testing of high-risk AI systems in real world conditions outside AI regulatory sandboxes
  Art. 61 | Informed consent to participate in testing in real world conditions outside AI regulatory sandboxes
  ~ Art. 62 | Measures for providers and deployers, in particular SMEs, including start-ups
  ~ Art. 63 | Derogations for specific operators
Chapter VII | Governance
  ~ Art. 64 | AI Office
  ~ Art. 65 | Establishment and structure of the European Artificial Intelligence Board
  ~ Art. 66 | Tasks of the Board
  ~ Art. 67 | Advisory forum
  ~ Art. 68 | Scientific panel of independent experts
  ~ Art. 69 | Access to the pool of experts by the Member States
  ~ Art. 70 | Designation of national competent authorities and single point of contact
Chapter VIII | EU database for high-risk AI systems
  ~ Art. 71 | EU database for high-risk AI systems listed in Annex III
Chapter IX | Post-market monitoring, information sharing, market surveillance
  Section IX.1 | Post-market monitoring
    Art. 72 | Post-market monitoring by providers and post-market monitoring plan for high-risk AI systems
  Section IX.2 | Sharing of information on serious incidents
    Art. 73 | Reporting of serious incidents
  Section IX.3 | Enforcement
    ~ Art. 74 | Market surveillance and control of AI systems in the Union market
    ~ Art. 75 | Mutual assistance, market surveillance and control of general-purpose AI systems
    ~ Art. 76 | Supervision of testing in real world conditions by market surveillance authorities
    ~ Art. 77 | Powers of authorities protecting fundamental rights
    ~ Art. 78 | Confidentiality
    ~ Art. 79 | Procedure at national level for dealing with AI systems presenting a risk
    ~ Art. 80 | Procedure for dealing with AI systems classified by the provider as non-high-risk in application of Annex III
    ~ Art. 81 | Union safeguard procedure
    ~ Art. 82 | Compliant AI systems which present a risk
    ~ Art. 83 | Formal non-compliance
    ~ Art. 84 | Union AI testing support structures
  Section IX.4 | Remedies
    ~ Art. 85 | Right to lodge a complaint with a market surveillance authority
    Art. 86 | Right to explanation of individual decision-making
    ~ Art. 87 | Reporting of infringements and protection of reporting persons
  Section IX.5 | Supervision, investigation, enforcement and monitoring in respect of providers of general-purpose AI models
    ~ Art. 88 | Enforcement of the obligations of providers of general-purpose AI models
    ~ Art. 89 | Monitoring actions
    ~ Art. 90 | Alerts of systemic risks by the scientific panel
    ~ Art. 91 | Power to request documentation and information
    ~ Art. 92 | Power to conduct evaluations
    ~ Art. 93 | Power to request measures
    ~ Art. 94 | Procedural rights of economic operators of the general-purpose AI model
Chapter X | Codes of conduct and guidelines
  ~ Art. 95 | Codes of conduct for voluntary application of specific requirements
  ~ Art. 96 | Guidelines from the Commission on the implementation of this Regulation
Chapter XI | Delegation of power and committee procedure
  ~ Art. 97 | Exercise of the delegation
  ~ Art. 98 | Committee procedure
Chapter XII | Penalties
  ~ Art. 99 | Penalties
  ~ Art. 100 | Administrative fines on Union institutions, bodies, offices and agencies
  ~ Art. 101 | Fines for providers of general-purpose AI models
Chapter XIII | Final provisions
  ~ Art. 102 | Amendment to Regulation (EC) No 300/2008
  ~ Art. 103 | Amendment to Regulation (EU) No 167/2013
  ~ Art. 104 | Amendment to Regulation (EU) No 168/2013
  ~ Art. 105 | Amendment to Directive 2014/90/EU
  ~ Art. 106 | Amendment to Directive (EU) 2016/797
  ~ Art. 107 | Amendment to Regulation (EU) 2018/858
  ~ Art. 108 | Amendment to Regulation (EU) 2018/1139
  ~ Art. 109 | Amendment to Regulation (EU) 2019/2144
  ~ Art. 110 | Amendment to Directive (EU) 2020/1828
  ~ Art. 111 | AI systems already placed on the market or put into service
  ~ Art. 112 | Evaluation and review
  ~ Art. 113 | Entry into force and application
`,
})
