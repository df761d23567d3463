import { catalogOf } from './outline.ts'

export const dora = catalogOf({
  key: 'urn:plumbline:framework:dora',
  edition: '2022/2554',
  name: 'DORA, Regulation (EU) 2022/2554',
  shortName: 'DORA',
  publisher: 'European Union',
  category: 'financial',
  jurisdiction: 'EU',
  sourceDate: '2022-12-27',
  source: 'Regulation (EU) 2022/2554, OJ L 333, articles 1 to 64; it applies from 17 January 2025',
  outline: `
Chapter I | General provisions
  ~ Art. 1 | Subject matter
  ~ Art. 2 | Scope
  ~ Art. 3 | Definitions
  Art. 4 | As much as fits size and risk
Chapter II | Managing ICT risk
  Art. 5 | Governance: management answers for it
  Art. 6 | A framework to manage ICT risk
  Art. 7 | Systems, protocols and tools
  Art. 8 | Knowing functions, information and what they hang on
  Art. 9 | Protecting and preventing
  Art. 10 | Detecting
  Art. 11 | Responding and recovering
  Art. 12 | Backups and restoring
  Art. 13 | Learning and evolving
  Art. 14 | Telling of it
  ~ Art. 15 | Technical standards on all this
  Art. 16 | A simpler framework for small ones
Chapter III | ICT incidents
  Art. 17 | A process for incidents
  Art. 18 | Classifying incidents and threats
  Art. 19 | Reporting major incidents, and significant threats if one wishes
  ~ Art. 20 | One form for reports
  ~ Art. 21 | One hub for reports
  ~ Art. 22 | What supervisors answer
  Art. 23 | Incidents of payments
Chapter IV | Testing resilience
  Art. 24 | A programme of tests
  Art. 25 | Tests of tools and systems
  Art. 26 | Penetration tests led by threats
  Art. 27 | What testers must be
Chapter V | Risk of ICT third parties
  Section V.I | Principles
    Art. 28 | Principles, strategy, exit and the register
    Art. 29 | Concentration, looked at before signing
    Art. 30 | What contracts have to say
  Section V.II | Oversight of critical providers
    ~ Art. 31 | Which providers are critical
    ~ Art. 32 | How oversight is built
    ~ Art. 33 | What the lead overseer does
    ~ Art. 34 | Overseers act together
    ~ Art. 35 | Powers of the lead overseer
    ~ Art. 36 | Powers outside the Union
    ~ Art. 37 | Asking for information
    ~ Art. 38 | Investigations
    ~ Art. 39 | Inspections
    ~ Art. 40 | Oversight that goes on
    ~ Art. 41 | Conditions of oversight made alike
    ~ Art. 42 | What authorities do about it
    ~ Art. 43 | Fees
    ~ Art. 44 | Cooperation across borders
Chapter VI | Sharing information
  Art. 45 | Arrangements to share threat knowledge
Chapter VII | Authorities
  ~ Art. 46 | Which they are
  ~ Art. 47 | With those of NIS 2
  ~ Art. 48 | Among each other
  ~ Art. 49 | Exercises across the sector
  ~ Art. 50 | Penalties and remedies
  ~ Art. 51 | How they are imposed
  ~ Art. 52 | Criminal penalties
  ~ Art. 53 | What states report
  ~ Art. 54 | Publishing penalties
  ~ Art. 55 | Professional secrecy
  ~ Art. 56 | Data protection
Chapter VIII | Delegated acts
  ~ Art. 57 | Powers given to the Commission
Chapter IX | At the end
  ~ Art. 58 | Review
  ~ Art. 59 | A change to 1060/2009
  ~ Art. 60 | A change to 648/2012
  ~ Art. 61 | A change to 909/2014
  ~ Art. 62 | A change to 600/2014
  ~ Art. 63 | A change to 2016/1011
  ~ Art. 64 | From when it applies
`,
})
