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
  Art. 4 | People who deal with AI know enough of it
Chapter II | What is forbidden
  Art. 5 | Forbidden practices
Chapter III | High-risk systems
  Section III.1 | Which they are
    Art. 6 | Classifying systems as high-risk
    ~ Art. 7 | How the list of them may change
  Section III.2 | What they must be
    Art. 8 | They meet what is asked, with other law
    Art. 9 | A system to manage risk
    Art. 10 | Data and its governance
    Art. 11 | Technical documentation
    Art. 12 | Keeping logs
    Art. 13 | Deployers can understand and use them
    Art. 14 | People oversee them
    Art. 15 | Accuracy, robustness, security
  Section III.3 | Duties of those who make, sell and use them
    Art. 16 | What providers have to do
    Art. 17 | A quality management system
    Art. 18 | Documents are kept for ten years
    Art. 19 | Logs are kept
    Art. 20 | Mending what does not conform, and telling of it
    Art. 21 | Working with authorities
    Art. 22 | Representatives in the Union
    Art. 23 | What importers have to do
    Art. 24 | What distributors have to do
    Art. 25 | Who becomes a provider along the chain
    Art. 26 | What deployers have to do
    Art. 27 | Assessing what it means for fundamental rights
  Section III.4 | Notifying authorities and notified bodies
    ~ Art. 28 | Notifying authorities
    ~ Art. 29 | How a body applies
    ~ Art. 30 | How it is notified
    ~ Art. 31 | What it must be
    ~ Art. 32 | When conformity is presumed of it
    ~ Art. 33 | Its subsidiaries and subcontractors
    ~ Art. 34 | What it does
    ~ Art. 35 | Its number and the lists
    ~ Art. 36 | Changes to a notification
    ~ Art. 37 | When its competence is doubted
    ~ Art. 38 | How bodies coordinate
    ~ Art. 39 | Bodies of other countries
  Section III.5 | Standards, assessment, certificates, registration
    ~ Art. 40 | Harmonised standards
    ~ Art. 41 | Common specifications
    ~ Art. 42 | When conformity is presumed of a system
    Art. 43 | Assessing conformity
    ~ Art. 44 | Certificates
    ~ Art. 45 | What notified bodies report
    ~ Art. 46 | Exceptions from assessment
    Art. 47 | The declaration of conformity
    Art. 48 | The CE mark
    Art. 49 | Registration
Chapter IV | Transparency
  Art. 50 | People know that it is AI, and what it made
Chapter V | General-purpose models
  Section V.1 | Which have systemic risk
    ~ Art. 51 | Classifying them
    Art. 52 | Telling the Commission
  Section V.2 | What providers of models do
    Art. 53 | Documentation, copyright, a summary of training data
    Art. 54 | Representatives of providers of models
  Section V.3 | Models with systemic risk
    Art. 55 | Evaluating, lowering risk, reporting, securing
  Section V.4 | Codes of practice
    ~ Art. 56 | Codes of practice
Chapter VI | Supporting innovation
  ~ Art. 57 | Regulatory sandboxes
  ~ Art. 58 | How sandboxes work
  ~ Art. 59 | Personal data in sandboxes
  Art. 60 | Tests in the real world
  Art. 61 | Consent to take part in such tests
  ~ Art. 62 | Help for small ones
  ~ Art. 63 | Easier duties for the smallest
Chapter VII | Governance
  ~ Art. 64 | The AI Office
  ~ Art. 65 | The Board
  ~ Art. 66 | Tasks of the Board
  ~ Art. 67 | The advisory forum
  ~ Art. 68 | The scientific panel
  ~ Art. 69 | Experts for member states
  ~ Art. 70 | National authorities
Chapter VIII | The database
  ~ Art. 71 | A database of high-risk systems
Chapter IX | After a system is on the market
  Section IX.1 | Monitoring
    Art. 72 | Providers watch their systems by a plan
  Section IX.2 | Incidents
    Art. 73 | Reporting serious incidents
  Section IX.3 | Enforcement
    ~ Art. 74 | Market surveillance
    ~ Art. 75 | Surveillance of systems built on models
    ~ Art. 76 | Surveillance of tests in the real world
    ~ Art. 77 | Authorities for fundamental rights
    ~ Art. 78 | Confidentiality
    ~ Art. 79 | Systems that are a risk
    ~ Art. 80 | Systems their provider thinks are not high-risk
    ~ Art. 81 | Safeguards of the Union
    ~ Art. 82 | Systems that conform and are a risk
    ~ Art. 83 | Formal faults
    ~ Art. 84 | Testing facilities of the Union
  Section IX.4 | Remedies
    ~ Art. 85 | Complaints
    Art. 86 | Explaining a decision to whom it concerns
    ~ Art. 87 | Reporting infringements and protection of who does
  Section IX.5 | Supervision of models
    ~ Art. 88 | Who enforces
    ~ Art. 89 | Monitoring
    ~ Art. 90 | Alerts of the scientific panel
    ~ Art. 91 | Asking for documents
    ~ Art. 92 | Evaluations
    ~ Art. 93 | Asking for measures
    ~ Art. 94 | Procedural rights
Chapter X | Codes and guidelines
  ~ Art. 95 | Codes of conduct, by choice
  ~ Art. 96 | Guidelines of the Commission
Chapter XI | Further acts
  ~ Art. 97 | Powers given to the Commission
  ~ Art. 98 | Its committee
Chapter XII | Penalties
  ~ Art. 99 | Penalties
  ~ Art. 100 | Fines on bodies of the Union
  ~ Art. 101 | Fines on providers of models
Chapter XIII | At the end
  ~ Art. 102 | A change to 300/2008
  ~ Art. 103 | A change to 167/2013
  ~ Art. 104 | A change to 168/2013
  ~ Art. 105 | A change to 2014/90/EU
  ~ Art. 106 | A change to 2016/797
  ~ Art. 107 | A change to 2018/858
  ~ Art. 108 | A change to 2018/1139
  ~ Art. 109 | A change to 2019/2144
  ~ Art. 110 | A change to 2020/1828
  ~ Art. 111 | Systems that are there already
  ~ Art. 112 | Evaluation and review
  ~ Art. 113 | From when it applies
`,
})
