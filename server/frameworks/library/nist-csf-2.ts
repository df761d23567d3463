import { catalogOf } from './outline.ts'

export const nistCsf2 = catalogOf({
  key: 'urn:plumbline:framework:nist-csf',
  edition: '2.0',
  name: 'NIST Cybersecurity Framework 2.0',
  shortName: 'NIST CSF',
  publisher: 'NIST',
  category: 'security',
  jurisdiction: 'US',
  sourceDate: '2024-02-26',
  source: 'NIST CSWP 29, The NIST Cybersecurity Framework (CSF) 2.0, Appendix A',
  outline: `
GV | Govern
  GV.OC | The organization in its setting
    GV.OC-01 | The mission is known and guides risk work
    GV.OC-02 | Who has a stake, and what they expect
    GV.OC-03 | Duties by law and contract are known and managed
    GV.OC-04 | What others depend on is known and told
    GV.OC-05 | What the organization depends on is known and told
  GV.RM | How risk is to be managed
    GV.RM-01 | Goals of risk management are agreed
    GV.RM-02 | Appetite and tolerance for risk are set and told
    GV.RM-03 | Cyber risk is part of enterprise risk management
    GV.RM-04 | Which answers to risk are open, in what direction
    GV.RM-05 | Ways to talk about cyber risk, suppliers included
    GV.RM-06 | One method to calculate, record and rank risks
    GV.RM-07 | Opportunities are looked at as well as threats
  GV.RR | Roles and authority
    GV.RR-01 | Leaders answer for cyber risk and set the tone
    GV.RR-02 | Roles and authority are set, told and enforced
    GV.RR-03 | Enough means are given
    GV.RR-04 | Security is part of how people are employed
  GV.PO | Policy
    GV.PO-01 | A policy is set, told and enforced
    GV.PO-02 | The policy is reviewed and kept up
  GV.OV | Oversight
    GV.OV-01 | Results are used to adjust the strategy
    GV.OV-02 | The strategy is reviewed for what it has to cover
    GV.OV-03 | How well risk is managed is measured and reviewed
  GV.SC | Risk along the supply chain
    GV.SC-01 | A programme for supply chain risk is agreed
    GV.SC-02 | Suppliers, customers and partners know their part
    GV.SC-03 | It is part of risk management as a whole
    GV.SC-04 | Suppliers are known and ranked by how critical they are
    GV.SC-05 | Contracts say what is asked for security
    GV.SC-06 | Care is taken before anything is signed
    GV.SC-07 | Risks of each supplier are judged and followed
    GV.SC-08 | Suppliers that matter have a part in incident plans
    GV.SC-09 | Supply chain security is watched over a product’s life
    GV.SC-10 | What happens after a contract ends is planned
ID | Identify
  ID.AM | Assets
    ID.AM-01 | Hardware is listed
    ID.AM-02 | Software, services and systems are listed
    ID.AM-03 | Allowed network traffic and data flows are drawn
    ID.AM-04 | Services of suppliers are listed
    ID.AM-05 | Assets are ranked by what they mean
    ID.AM-07 | Data of chosen kinds is listed, with what describes it
    ID.AM-08 | Everything is managed as long as it exists
  ID.RA | Assessing risk
    ID.RA-01 | Weaknesses are found and recorded
    ID.RA-02 | Knowledge of threats comes in from outside
    ID.RA-03 | Threats from inside and outside are recorded
    ID.RA-04 | How likely and how bad is recorded
    ID.RA-05 | Risk itself follows from these, and orders the answers
    ID.RA-06 | Answers are chosen, planned and followed
    ID.RA-07 | Changes and exceptions are judged for their risk
    ID.RA-08 | Reports of weaknesses are received and worked
    ID.RA-09 | Hardware and software are checked to be genuine
    ID.RA-10 | Critical suppliers are assessed beforehand
  ID.IM | Improvement
    ID.IM-01 | By evaluations
    ID.IM-02 | By tests and exercises, with suppliers too
    ID.IM-03 | By what daily work shows
    ID.IM-04 | Plans for incidents and others are kept up
PR | Protect
  PR.AA | Identities and access
    PR.AA-01 | Identities and credentials are managed
    PR.AA-02 | Identities are proved before they are bound
    PR.AA-03 | Users, services and hardware authenticate
    PR.AA-04 | Statements of identity are protected and checked
    PR.AA-05 | Rights are set by policy, least first, and reviewed
    PR.AA-06 | Physical access is managed and watched
  PR.AT | Awareness and training
    PR.AT-01 | Everybody knows and can do what their work asks
    PR.AT-02 | Specialists know and can do what theirs asks
  PR.DS | Data
    PR.DS-01 | Data at rest is protected
    PR.DS-02 | Data on its way is protected
    PR.DS-10 | Data in use is protected
    PR.DS-11 | Backups are made, protected and tested
  PR.PS | Platforms
    PR.PS-01 | Configurations are managed
    PR.PS-02 | Software is kept up, replaced and removed
    PR.PS-03 | Hardware is kept up, replaced and removed
    PR.PS-04 | Logs are made and can be watched
    PR.PS-05 | Software that is not allowed does not run
    PR.PS-06 | Software is developed securely
  PR.IR | Infrastructure that withstands
    PR.IR-01 | Networks are kept from those who may not use them
    PR.IR-02 | Technology is kept from dangers around it
    PR.IR-03 | It withstands, in good times and bad
    PR.IR-04 | There is enough capacity
DE | Detect
  DE.CM | Watching
    DE.CM-01 | Networks are watched
    DE.CM-02 | Places are watched
    DE.CM-03 | What people do is watched
    DE.CM-06 | What service providers do is watched
    DE.CM-09 | Machines, software and their data are watched
  DE.AE | Analysing what was seen
    DE.AE-02 | What may be harmful is looked into
    DE.AE-03 | Sources are put together
    DE.AE-04 | How far and how bad is estimated
    DE.AE-06 | Those who act get to know
    DE.AE-07 | Threat knowledge helps to judge
    DE.AE-08 | An incident is declared by set criteria
RS | Respond
  RS.MA | Managing an incident
    RS.MA-01 | The plan is carried out, with third parties
    RS.MA-02 | Reports are sorted and confirmed
    RS.MA-03 | Incidents are classified and ranked
    RS.MA-04 | They are handed up where needed
    RS.MA-05 | When recovery begins is decided by criteria
  RS.AN | Analysing it
    RS.AN-03 | What happened, and why
    RS.AN-06 | What is done is recorded and cannot be altered
    RS.AN-07 | Data on it is gathered and kept whole
    RS.AN-08 | How large it is, is estimated and confirmed
  RS.CO | Telling of it
    RS.CO-02 | Those concerned are told, within and without
    RS.CO-03 | Information is shared with those agreed on
  RS.MI | Stopping it
    RS.MI-01 | It is contained
    RS.MI-02 | It is removed
RC | Recover
  RC.RP | Carrying out recovery
    RC.RP-01 | The recovery part of the plan is carried out
    RC.RP-02 | What to do is chosen, ranked and done
    RC.RP-03 | Backups are checked before they are used
    RC.RP-04 | What matters most sets what is normal afterwards
    RC.RP-05 | What was restored is checked and back in use
    RC.RP-06 | The end is declared by criteria, and written up
  RC.CO | Telling of recovery
    RC.CO-03 | Progress is told to those concerned
    RC.CO-04 | The public is told in agreed ways
`,
})
