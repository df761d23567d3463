import type { Values } from '../../../model/complaint.ts'

/*
 * Controls to begin with: what a company of twenty to two hundred people can do about the risks beside this file, and
 * can show to whoever asks. The words are ours; which requirements of a framework each of them meets, its owner says.
 */

interface StarterControl extends Values {
  readonly code: string
  readonly title: string
  readonly description: string
  readonly category: string
  readonly function: string
  readonly type: string
  readonly priority: string
  readonly frequency: string
}

export const STARTER_CONTROLS: readonly StarterControl[] = [
  {
    code: 'START-01',
    title: 'The security policy is in force and known to everybody',
    description:
      'One short policy says what we protect, who answers for it and what is expected of everybody. The management approves it once a year, and each colleague confirms having read it.',
    category: 'policy',
    function: 'govern',
    type: 'preventive',
    priority: 'high',
    frequency: 'annually',
  },
  {
    code: 'START-02',
    title: 'The risk register is reviewed every quarter',
    description:
      'Owners go through their risks, rate them anew and say what has come of each treatment. The management sees those that are high or critical and decides on them.',
    category: 'process',
    function: 'govern',
    type: 'detective',
    priority: 'high',
    frequency: 'quarterly',
  },
  {
    code: 'START-03',
    title: 'Legal and contractual duties are listed, each with an owner',
    description:
      'A list names the laws, authorities and contracts that bind us and who watches each of them. It is gone through twice a year, and before we enter a new country or market.',
    category: 'process',
    function: 'govern',
    type: 'preventive',
    priority: 'medium',
    frequency: 'semiannually',
  },
  {
    code: 'START-04',
    title: 'Everybody is trained in security and privacy',
    description:
      'New colleagues take a short course in their first month, and everybody takes it again each year. It shows the messages, mistakes and reporting paths of our own company.',
    category: 'people',
    function: 'protect',
    type: 'preventive',
    priority: 'high',
    frequency: 'annually',
  },
  {
    code: 'START-05',
    title: 'Systems and data stores are in an inventory',
    description:
      'Each system has an owner, a purpose and a note on what data it holds. What is found running and is not in the inventory is added or switched off.',
    category: 'process',
    function: 'identify',
    type: 'preventive',
    priority: 'high',
    frequency: 'quarterly',
  },
  {
    code: 'START-06',
    title: 'Data is classified, and each class has rules',
    description:
      'Three or four classes, from public to strictly confidential, say where data may be kept and to whom it may be sent. People choose a class without asking an expert.',
    category: 'policy',
    function: 'identify',
    type: 'preventive',
    priority: 'medium',
    frequency: 'annually',
  },
  {
    code: 'START-07',
    title: 'A second factor is required for every account',
    description:
      'Mail, cloud consoles, code and this register ask for a passkey or a code beside the password. Accounts that cannot have one are listed with a reason.',
    category: 'technical',
    function: 'protect',
    type: 'preventive',
    priority: 'critical',
    frequency: 'continuous',
  },
  {
    code: 'START-08',
    title: 'Access follows from the role and is approved',
    description:
      'Each role has a set of rights, and anything beyond needs the word of whoever owns the system. The approval is kept where it can be found again.',
    category: 'process',
    function: 'protect',
    type: 'preventive',
    priority: 'high',
    frequency: 'continuous',
  },
  {
    code: 'START-09',
    title: 'Access ends on the last day of work',
    description:
      'Human resources tells those who run the systems before somebody leaves or changes team, and accounts are closed the same day. A list shows for each leaver that it was done.',
    category: 'procedure',
    function: 'protect',
    type: 'preventive',
    priority: 'critical',
    frequency: 'ad_hoc',
  },
  {
    code: 'START-10',
    title: 'Access rights are reviewed twice a year',
    description:
      'Owners look through who may do what in their systems and remove what is no longer needed. Administrators and accounts of programs are looked at first.',
    category: 'process',
    function: 'detect',
    type: 'detective',
    priority: 'high',
    frequency: 'semiannually',
  },
  {
    code: 'START-11',
    title: 'Administrators work with separate accounts',
    description:
      'Whoever changes systems does it with an account that reads no mail and browses no sites. These accounts are few, and each is tied to one person.',
    category: 'technical',
    function: 'protect',
    type: 'preventive',
    priority: 'high',
    frequency: 'continuous',
  },
  {
    code: 'START-12',
    title: 'Passwords and keys are kept in a vault',
    description:
      'People use a password manager, and programs read their keys from a store that records each use. No key stands in code, chats or documents, and a scan looks for those that do.',
    category: 'technical',
    function: 'protect',
    type: 'preventive',
    priority: 'high',
    frequency: 'continuous',
  },
  {
    code: 'START-13',
    title: 'Laptops and phones are encrypted, locked and managed',
    description:
      'Each device encrypts its storage, locks after a few minutes and takes updates by itself. One that is lost can be wiped from afar.',
    category: 'technical',
    function: 'protect',
    type: 'preventive',
    priority: 'high',
    frequency: 'continuous',
  },
  {
    code: 'START-14',
    title: 'Malware protection runs on every device and server',
    description:
      'A product watches what runs and reports to one place, where somebody looks at what it finds. It cannot be switched off without that being seen.',
    category: 'technical',
    function: 'detect',
    type: 'detective',
    priority: 'high',
    frequency: 'continuous',
  },
  {
    code: 'START-15',
    title: 'Critical updates are installed within seven days',
    description:
      'Somebody follows what is published for the systems we use and sees to it that urgent fixes are in place within a week, the others within a month. What has to wait is noted with a date.',
    category: 'process',
    function: 'protect',
    type: 'corrective',
    priority: 'critical',
    frequency: 'weekly',
  },
  {
    code: 'START-16',
    title: 'Weaknesses are scanned for every month',
    description:
      'A scanner looks at what can be reached from the internet, at servers and at the libraries of our code. Each finding gets an owner and a date by how grave it is.',
    category: 'technical',
    function: 'identify',
    type: 'detective',
    priority: 'high',
    frequency: 'monthly',
  },
  {
    code: 'START-17',
    title: 'Somebody from outside tries to break in once a year',
    description:
      'Testers who did not build the product attack it with our leave and report what they find. The fixes are tested again before the matter is closed.',
    category: 'process',
    function: 'identify',
    type: 'detective',
    priority: 'medium',
    frequency: 'annually',
  },
  {
    code: 'START-18',
    title: 'Every change to code is reviewed and tested',
    description:
      'Nobody brings their own change to production: a second person reads it, and automated tests pass first. The history shows who wrote and who approved.',
    category: 'process',
    function: 'protect',
    type: 'preventive',
    priority: 'high',
    frequency: 'continuous',
  },
  {
    code: 'START-19',
    title: 'A release can be taken back within minutes',
    description:
      'Each release has a tried way back to the one before, changes of the database included. Whoever is on call may use it without asking.',
    category: 'technical',
    function: 'recover',
    type: 'corrective',
    priority: 'medium',
    frequency: 'continuous',
  },
  {
    code: 'START-20',
    title: 'Production is separate from development and tests',
    description:
      'Development and tests run with accounts, networks and data of their own. Data of customers does not leave production, unless it was made anonymous first.',
    category: 'technical',
    function: 'protect',
    type: 'preventive',
    priority: 'high',
    frequency: 'continuous',
  },
  {
    code: 'START-21',
    title: 'Cloud settings are compared with a secure baseline',
    description:
      'A check runs each day over accounts, networks and storage and raises an alarm when something is open that should not be. The baseline itself is kept under version control.',
    category: 'technical',
    function: 'detect',
    type: 'detective',
    priority: 'high',
    frequency: 'daily',
  },
  {
    code: 'START-22',
    title: 'Data is encrypted on the way and at rest',
    description:
      'Connections use current TLS, and databases, files and backups are encrypted with keys that few people can use. Keys are changed on a schedule and when somebody who knew them leaves.',
    category: 'technical',
    function: 'protect',
    type: 'preventive',
    priority: 'high',
    frequency: 'continuous',
  },
  {
    code: 'START-23',
    title: 'Logs are collected in one place and looked at',
    description:
      'Sign-ins, changes of rights and errors of all systems go to a store that those who run the systems cannot rewrite. Rules raise alarms, and somebody answers them.',
    category: 'technical',
    function: 'detect',
    type: 'detective',
    priority: 'high',
    frequency: 'continuous',
  },
  {
    code: 'START-24',
    title: 'Backups are made daily and a restore is tried each quarter',
    description:
      'A copy lies where an attacker on our network cannot delete it. Each quarter somebody restores a whole system from it and notes how long that took.',
    category: 'technical',
    function: 'recover',
    type: 'recovery',
    priority: 'critical',
    frequency: 'quarterly',
  },
  {
    code: 'START-25',
    title: 'An incident plan says who does what and who is told',
    description:
      'It names who decides, how colleagues report, and within how many hours authorities and customers hear from us. It is rehearsed once a year with a made-up case.',
    category: 'procedure',
    function: 'respond',
    type: 'corrective',
    priority: 'critical',
    frequency: 'annually',
  },
  {
    code: 'START-26',
    title: 'A continuity plan says how work goes on',
    description:
      'For each service that customers rely on it says how long it may be down and how it comes back. Every important task has a second person who has done it before.',
    category: 'procedure',
    function: 'recover',
    type: 'recovery',
    priority: 'medium',
    frequency: 'annually',
  },
  {
    code: 'START-27',
    title: 'Suppliers are checked before they get data, and again each year',
    description:
      'Before a contract is signed somebody looks at the supplier’s security, location and subcontractors in proportion to what they will hold. Contracts say how they report incidents and return data.',
    category: 'process',
    function: 'identify',
    type: 'preventive',
    priority: 'high',
    frequency: 'annually',
  },
  {
    code: 'START-28',
    title: 'Payments and changed bank details need a second person',
    description:
      'A new or changed account is confirmed by calling a number that was known before. Payments above a set amount are released by two people.',
    category: 'procedure',
    function: 'protect',
    type: 'preventive',
    priority: 'high',
    frequency: 'continuous',
  },
  {
    code: 'START-29',
    title: 'Personal data is recorded, kept for a set time and deleted',
    description:
      'A record says what personal data we hold, why, and for how long. What has reached its time is deleted by a routine, and requests of people are answered from the same record.',
    category: 'process',
    function: 'govern',
    type: 'preventive',
    priority: 'high',
    frequency: 'quarterly',
  },
  {
    code: 'START-30',
    title: 'AI tools are approved before they are used',
    description:
      'A short list names the assistants that may be used and with which classes of data. New ones are looked at for where data goes, whether it trains their models, and who answers for results.',
    category: 'policy',
    function: 'govern',
    type: 'preventive',
    priority: 'medium',
    frequency: 'semiannually',
  },
]
