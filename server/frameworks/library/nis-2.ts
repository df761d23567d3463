import { catalogOf } from './outline.ts'

export const nis2 = catalogOf({
  key: 'urn:plumbline:framework:nis-2',
  edition: '2022/2555',
  name: 'NIS 2, Directive (EU) 2022/2555',
  shortName: 'NIS 2',
  publisher: 'European Union',
  category: 'security',
  jurisdiction: 'EU',
  sourceDate: '2022-12-27',
  source: 'Directive (EU) 2022/2555, OJ L 333, articles 1 to 46; what binds is the law of the member state',
  outline: `
Chapter I | General provisions
  ~ Art. 1 | Subject matter
  ~ Art. 2 | Scope
  Art. 3 | Essential or important: which one is, and telling the authority
  ~ Art. 4 | Acts for single sectors
  ~ Art. 5 | A minimum for all states
  ~ Art. 6 | Definitions
Chapter II | States and their frameworks
  ~ Art. 7 | A national strategy
  ~ Art. 8 | Authorities and contact points
  ~ Art. 9 | Crises
  ~ Art. 10 | Response teams
  ~ Art. 11 | What response teams do
  ~ Art. 12 | Disclosing weaknesses together, and a European database
  ~ Art. 13 | Cooperation within a state
Chapter III | States together
  ~ Art. 14 | The Cooperation Group
  ~ Art. 15 | The network of response teams
  ~ Art. 16 | Crises across states
  ~ Art. 17 | Cooperation with other countries
  ~ Art. 18 | A report on the state of things
  ~ Art. 19 | Reviews among states
Chapter IV | Managing risk and reporting
  Art. 20 | Governance
    Art. 20(1) | Management approves the measures, oversees them and answers for them
    Art. 20(2) | Management is trained, and offers training to the staff
  Art. 21 | Measures against risk
    Art. 21(1) | They fit the risk, the state of the art and the size
    Art. 21(2) | What they cover at least
      Art. 21(2)(a) | Policies on risk analysis and on security of systems
      Art. 21(2)(b) | Handling incidents
      Art. 21(2)(c) | Continuity: backups, recovery, crises
      Art. 21(2)(d) | Security of the supply chain
      Art. 21(2)(e) | Security in buying, building and keeping up systems, weaknesses included
      Art. 21(2)(f) | Judging whether the measures work
      Art. 21(2)(g) | Basic hygiene and training
      Art. 21(2)(h) | Cryptography, and encryption where it fits
      Art. 21(2)(i) | People, access and what is of value
      Art. 21(2)(j) | Strong authentication and secured communication
    Art. 21(3) | Weaknesses and practices of each direct supplier are looked at
    Art. 21(4) | What is lacking is mended without delay
  ~ Art. 22 | Risks of critical supply chains, assessed by the Union
  Art. 23 | Reporting incidents
    Art. 23(1) | Significant incidents are reported, and recipients of services told
    Art. 23(2) | Recipients who may be hit are told what they can do
    Art. 23(4) | Warning in 24 hours, report in 72, a final one within a month
  Art. 24 | Certified products where a state asks for them
  ~ Art. 25 | Standards
Chapter V | Jurisdiction and registration
  ~ Art. 26 | Which state is competent
  Art. 27 | The register of providers across borders
  Art. 28 | Right data on who holds domain names
Chapter VI | Sharing information
  Art. 29 | Arrangements to share knowledge, and telling of them
  ~ Art. 30 | Reports that nobody is bound to make
Chapter VII | Supervision and enforcement
  ~ Art. 31 | General aspects
  ~ Art. 32 | Of essential entities
  ~ Art. 33 | Of important entities
  ~ Art. 34 | Fines
  ~ Art. 35 | Where personal data was breached as well
  ~ Art. 36 | Penalties
  ~ Art. 37 | Help among states
Chapter VIII | Further acts
  ~ Art. 38 | Powers given to the Commission
  ~ Art. 39 | Its committee
Chapter IX | At the end
  ~ Art. 40 | Review
  ~ Art. 41 | Into national law
  ~ Art. 42 | A change to 910/2014
  ~ Art. 43 | A change to 2018/1972
  ~ Art. 44 | The directive that it replaces
  ~ Art. 45 | From when it is in force
  ~ Art. 46 | To whom it is addressed
`,
})
