import { type PlanTemplate, QUARTERLY, YEARLY } from './template.ts'

/** From the first look to a report over a period of half a year; the words are ours. */
export const SOC_2: PlanTemplate = {
  title: 'SOC 2, type 2',
  phases: [
    {
      key: 'readiness',
      title: 'Readiness',
      from: 0,
      to: 60,
      tasks: [
        {
          title: 'Choose the categories that the report covers',
          description:
            'Security always; availability, confidentiality, processing integrity and privacy where customers ask.',
          due: 15,
        },
        {
          title: 'Describe the system',
          description:
            'What it does, for whom, of which parts, with which suppliers, and what customers have to do themselves.',
          due: 35,
        },
        {
          title: 'Match controls to the criteria and name what is missing',
          description: 'One control or more for each criterion; where there is none, a task for somebody.',
          due: 50,
        },
        {
          title: 'Choose the auditor and agree on the period',
          description: 'When it begins and ends, when the report is wanted, what they will sample.',
          due: 60,
        },
      ],
    },
    {
      key: 'close',
      title: 'Closing the gaps',
      from: 60,
      to: 120,
      tasks: [
        {
          title: 'Put the missing controls in place',
          description: 'Before the period begins: what starts late counts as an exception.',
          due: 110,
        },
        {
          title: 'Write down how changes reach production',
          description: 'Who reviews, who approves, what is tested, and where each of that can be seen later.',
          due: 90,
        },
        {
          title: 'Set up alerts and say who answers them',
          description: 'What is watched, who is woken, and what is written down.',
          due: 100,
        },
        {
          title: 'Have everybody read and accept the policies',
          description: 'And the same of each who joins, in their first week.',
          due: 115,
          recurrence: YEARLY,
        },
      ],
    },
    {
      key: 'period',
      title: 'The period',
      from: 120,
      to: 300,
      tasks: [
        {
          title: 'Review who may do what',
          description: 'Each system owner confirms or withdraws each right, and keeps the list.',
          due: 150,
          recurrence: QUARTERLY,
        },
        {
          title: 'Scan for weaknesses and mend what is grave',
          description: 'Within the days that the organization gives each severity.',
          due: 140,
          recurrence: { frequency: 'monthly', interval: 1 },
        },
        {
          title: 'Restore a backup',
          description: 'A real one, into an empty place; how long it took and what was missing.',
          due: 200,
          recurrence: { frequency: 'monthly', interval: 6 },
        },
        {
          title: 'Have somebody try to break in',
          description: 'An outside test of what faces the network, and of the application.',
          due: 220,
          recurrence: YEARLY,
        },
        {
          title: 'Assess the risks',
          description: 'What could keep the service from what it promises; with a decision on each.',
          due: 180,
          recurrence: YEARLY,
        },
      ],
    },
    {
      key: 'report',
      title: 'The report',
      from: 300,
      to: 365,
      tasks: [
        {
          title: 'Hand in the evidence that the auditor sampled',
          description: 'Complete and dated within the period.',
          due: 325,
        },
        {
          title: 'Sign the assertion of management',
          description: 'That the description is fair and the controls worked.',
          due: 345,
        },
        {
          title: 'Answer the exceptions and publish the report',
          description:
            'What happened, what it meant, what was changed; then who gets it, and under which terms.',
          due: 365,
        },
      ],
    },
  ],
}
