import type { Values } from '../../../model/complaint.ts'

/*
 * Risks that most companies who keep other people's data have, for whoever begins with an empty register. The words
 * are ours. None is rated: how likely and how bad each is, only those who take it know.
 */

interface StarterRisk extends Values {
  readonly title: string
  readonly description: string
  readonly category: string
  readonly treatmentStrategy: string
  readonly impactAreas: readonly string[]
}

export const STARTER_RISKS: readonly StarterRisk[] = [
  {
    title: 'A weakness in our own software exposes customer data',
    description:
      'Somebody outside finds a mistake in code that we wrote and reads or changes records they should never see. Each release that nobody looked at with an attacker’s eyes makes it likelier.',
    category: 'technical',
    treatmentStrategy: 'mitigate',
    impactAreas: ['confidentiality', 'integrity', 'reputation'],
  },
  {
    title: 'Known weaknesses stay open because updates come late',
    description:
      'Operating systems, libraries and appliances run for weeks without a fix that is already published. Attackers scan for exactly these, and need no skill of their own.',
    category: 'technical',
    treatmentStrategy: 'mitigate',
    impactAreas: ['confidentiality', 'integrity', 'availability'],
  },
  {
    title: 'Somebody signs in with a stolen password',
    description:
      'A password is guessed, phished or reused from another site, and opens mail, files or production. Without a second factor nothing tells the thief from the owner.',
    category: 'technical',
    treatmentStrategy: 'mitigate',
    impactAreas: ['confidentiality', 'integrity'],
  },
  {
    title: 'People keep access that they no longer need',
    description:
      'Rights are added with every new task and seldom taken away when somebody changes team or leaves. One account that is taken over then opens far more than the job asked for.',
    category: 'operational',
    treatmentStrategy: 'mitigate',
    impactAreas: ['confidentiality', 'integrity'],
  },
  {
    title: 'Ransomware locks the systems we work with',
    description:
      'Malicious software encrypts servers and laptops, and somebody asks for money to give them back. Work stops until systems are rebuilt, and what was copied beforehand may be published.',
    category: 'continuity',
    treatmentStrategy: 'mitigate',
    impactAreas: ['availability', 'confidentiality', 'financial'],
  },
  {
    title: 'Backups cannot be restored when they are needed',
    description:
      'Backups run every night, but nobody has brought a system back from one, or they lie where the same failure reaches them. The loss shows only on the day when it counts.',
    category: 'continuity',
    treatmentStrategy: 'mitigate',
    impactAreas: ['availability', 'integrity'],
  },
  {
    title: 'Our hosting provider is down for a day',
    description:
      'A region or a central service of the provider fails, and our product with it. Customers hold us to the promise that we made, whatever the provider promised us.',
    category: 'third_party',
    treatmentStrategy: 'undecided',
    impactAreas: ['availability', 'reputation', 'financial'],
  },
  {
    title: 'A database or file store is open to the internet by mistake',
    description:
      'A setting is changed for a test, or a new service starts with a public address, and nobody notices. Search engines and thieves find such places within hours.',
    category: 'technical',
    treatmentStrategy: 'mitigate',
    impactAreas: ['confidentiality', 'privacy', 'legal'],
  },
  {
    title: 'A supplier loses data that we gave them',
    description:
      'Payroll, support or analytics providers hold personal data on our behalf, and one of them is broken into. To the people concerned and to the authority, it is our data that was lost.',
    category: 'third_party',
    treatmentStrategy: 'mitigate',
    impactAreas: ['confidentiality', 'privacy', 'reputation'],
  },
  {
    title: 'A supplier we depend on ends its service',
    description:
      'A provider is sold, goes out of business or drops the product that we built upon. Moving away takes longer than the notice they give.',
    category: 'third_party',
    treatmentStrategy: 'undecided',
    impactAreas: ['availability', 'financial'],
  },
  {
    title: 'Only one person knows how something important works',
    description:
      'A system, a contract or a routine lives in the head of one colleague. Illness, holidays or a resignation then stop work that customers rely on.',
    category: 'people',
    treatmentStrategy: 'mitigate',
    impactAreas: ['availability'],
  },
  {
    title: 'A forged message makes us pay the wrong account',
    description:
      'Somebody writes in the name of a supplier or of the management and asks to change bank details or to pay at once. Once the money has left, it is rarely seen again.',
    category: 'fraud',
    treatmentStrategy: 'mitigate',
    impactAreas: ['financial'],
  },
  {
    title: 'Somebody inside misuses data that they may see',
    description:
      'A colleague or contractor looks up, copies or sells records without a reason to. As the access itself is allowed, only a look at how it is used brings it to light.',
    category: 'people',
    treatmentStrategy: 'mitigate',
    impactAreas: ['confidentiality', 'privacy', 'reputation'],
  },
  {
    title: 'A laptop or phone with company data is lost or stolen',
    description:
      'Devices travel, and some stay on trains or are taken from cars. Whether that costs one device or a breach to be reported depends on encryption and a lock.',
    category: 'physical',
    treatmentStrategy: 'mitigate',
    impactAreas: ['confidentiality', 'privacy'],
  },
  {
    title: 'Personal data is kept longer than there is a reason for',
    description:
      'Old customers, applicants and log files stay because nobody decides when they go. Everything kept without need can still be stolen, and has to be explained when somebody asks.',
    category: 'privacy',
    treatmentStrategy: 'mitigate',
    impactAreas: ['privacy', 'legal'],
  },
  {
    title: 'A request about personal data is answered late or wrongly',
    description:
      'Somebody asks what we know of them or wants it erased, and the letter lies in an inbox, or a system is forgotten. Deadlines set by law are short, and complaints lead to inquiries.',
    category: 'privacy',
    treatmentStrategy: 'mitigate',
    impactAreas: ['privacy', 'legal', 'reputation'],
  },
  {
    title: 'An incident is reported too late',
    description:
      'Something has happened, but nobody is sure who has to be told, by when, and who decides. Authorities and customers forgive an incident more readily than silence about it.',
    category: 'legal',
    treatmentStrategy: 'mitigate',
    impactAreas: ['legal', 'reputation', 'financial'],
  },
  {
    title: 'A new legal duty applies to us and nobody notices',
    description:
      'Laws and contracts change, and we learn of it from a customer’s questionnaire or an inspector. By then there is too little time to do it well.',
    category: 'compliance',
    treatmentStrategy: 'mitigate',
    impactAreas: ['legal', 'financial'],
  },
  {
    title: 'A faulty change stops the service',
    description:
      'A release or a setting goes live without a test that would have shown the fault, and there is no quick way back. Customers meet it before we do.',
    category: 'operational',
    treatmentStrategy: 'mitigate',
    impactAreas: ['availability', 'integrity', 'reputation'],
  },
  {
    title: 'Confidential text ends up in an AI tool nobody approved',
    description:
      'Colleagues paste contracts, code or customer messages into assistants whose terms nobody has read. What was entered may be kept, or used to train, outside of our reach.',
    category: 'ai',
    treatmentStrategy: 'mitigate',
    impactAreas: ['confidentiality', 'privacy', 'legal'],
  },
]
