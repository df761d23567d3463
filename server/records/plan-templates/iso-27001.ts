import { type PlanTemplate, QUARTERLY, YEARLY } from './template.ts'

/** The order in which an organization comes to a first certificate; the words are ours. */
export const ISO_27001: PlanTemplate = {
  title: 'ISO/IEC 27001',
  phases: [
    {
      key: 'scope',
      title: 'Scope and commitment',
      from: 0,
      to: 45,
      tasks: [
        {
          title: 'Write down who and what matters to information security here',
          description:
            'Laws, customers, owners, staff, and what each of them expects; what helps and what hinders.',
          due: 20,
        },
        {
          title: 'Draw the line around the management system',
          description: 'Which sites, teams, services and systems are in, which are out, and where they meet.',
          due: 30,
        },
        {
          title: 'Have the leadership sign the security policy',
          description: 'It says what the organization wants to reach, and who answers for it.',
          due: 40,
        },
        {
          title: 'Name who does what for information security',
          description: 'Who runs the system, who owns risks and controls, who reports to the leadership.',
          due: 45,
        },
      ],
    },
    {
      key: 'risk',
      title: 'Risks and what is done about them',
      from: 45,
      to: 135,
      tasks: [
        {
          title: 'Agree how risks are rated and what is acceptable',
          description: 'Scales, the matrix, and from which level on somebody has to act.',
          due: 60,
        },
        {
          title: 'List the assets and who owns them',
          description: 'Information first, then what holds and moves it.',
          due: 75,
        },
        {
          title: 'Assess the risks',
          description: 'With those who know the work: what could go wrong, how likely, how bad.',
          due: 100,
          recurrence: YEARLY,
        },
        {
          title: 'Decide on treatments and have their owners agree',
          description: 'For each risk above the line: lower it, hand it on, avoid it, or accept it by name.',
          due: 120,
        },
        {
          title: 'Write the statement of applicability',
          description: 'Each control of Annex A: in or out, why, and how far it is.',
          due: 135,
          recurrence: YEARLY,
        },
      ],
    },
    {
      key: 'implement',
      title: 'Putting controls to work',
      from: 120,
      to: 255,
      tasks: [
        {
          title: 'Write and publish the policies that the controls call for',
          description:
            'Short ones that people read; each with an owner and a date on which it is looked at again.',
          due: 165,
        },
        {
          title: 'Train everybody',
          description:
            'What is expected of them, how to report what goes wrong, and proof that they were there.',
          due: 200,
          recurrence: YEARLY,
        },
        {
          title: 'Review who may do what',
          description: 'Each system owner confirms or withdraws each right.',
          due: 210,
          recurrence: QUARTERLY,
        },
        {
          title: 'Look at the suppliers that matter',
          description: 'What they hold of ours, what they show of themselves, what the contract says.',
          due: 225,
          recurrence: YEARLY,
        },
        {
          title: 'Practise an incident and a recovery',
          description: 'One on the table, one with a real backup; write down what did not work.',
          due: 240,
          recurrence: YEARLY,
        },
        {
          title: 'Collect evidence for every control that is in place',
          description: 'Something that shows it to a stranger, with the day on which it stops being current.',
          due: 255,
        },
      ],
    },
    {
      key: 'check',
      title: 'Checking',
      from: 255,
      to: 315,
      tasks: [
        {
          title: 'Measure whether the objectives are reached',
          description: 'A figure for each, and where it falls short, what follows.',
          due: 270,
          recurrence: QUARTERLY,
        },
        {
          title: 'Hold the internal audit',
          description:
            'By somebody who does not audit their own work; every clause, a sample of the controls.',
          due: 290,
          recurrence: YEARLY,
        },
        {
          title: 'Review the system with the leadership',
          description: 'Audit results, incidents, risks, resources; decisions go into the minutes.',
          due: 305,
          recurrence: YEARLY,
        },
        {
          title: 'Mend what the audit found',
          description: 'The cause and not the symptom, with an owner and a date.',
          due: 315,
        },
      ],
    },
    {
      key: 'certify',
      title: 'Certification',
      from: 315,
      to: 365,
      tasks: [
        {
          title: 'Hold the first stage with the certification body',
          description: 'They look at documents and say what would stand in the way of the second stage.',
          due: 330,
        },
        {
          title: 'Hold the second stage',
          description: 'They look whether it is done as it is written.',
          due: 355,
        },
        {
          title: 'Close what they found',
          description: 'Within the time that they give; the certificate waits for it.',
          due: 365,
        },
      ],
    },
  ],
}
