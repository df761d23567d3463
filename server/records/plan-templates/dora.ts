import { type PlanTemplate, QUARTERLY, YEARLY } from './template.ts'

/** A year in the life of a financial entity under Regulation (EU) 2022/2554; the words are ours. */
export const DORA: PlanTemplate = {
  title: 'DORA, a year',
  phases: [
    {
      key: 'govern',
      title: 'Governance and framework',
      from: 0,
      to: 90,
      tasks: [
        {
          title: 'Have the management body approve the ICT risk framework',
          description: 'It answers for it in person; the strategy for digital resilience is part of it.',
          due: 45,
          recurrence: YEARLY,
        },
        {
          title: 'Identify the critical or important functions',
          description: 'With what carries each: processes, systems, data, people and providers.',
          due: 60,
          recurrence: YEARLY,
        },
        {
          title: 'Train the management body and the staff',
          description: 'On ICT risk, to the depth that their duties ask.',
          due: 90,
          recurrence: YEARLY,
        },
      ],
    },
    {
      key: 'register',
      title: 'Providers and the register',
      from: 30,
      to: 120,
      tasks: [
        {
          title: 'Bring all contracts for ICT services into the register',
          description: 'With the chain of subcontractors behind what is critical or important.',
          due: 75,
        },
        {
          title: 'Check contracts for the clauses that have to be in them',
          description: 'Access, audit, location of data, service levels, incidents, ending and exit.',
          due: 100,
        },
        {
          title: 'Hand the register in to the authority',
          description: 'In the form and by the day that the authority names.',
          due: 120,
          recurrence: YEARLY,
        },
        {
          title: 'Review the providers of critical functions',
          description: 'How they performed, what changed, how concentrated the dependence is.',
          due: 110,
          recurrence: QUARTERLY,
        },
      ],
    },
    {
      key: 'incidents',
      title: 'Incidents',
      from: 60,
      to: 180,
      tasks: [
        {
          title: 'Write down how incidents are classified and reported',
          description:
            'By which figures one is major, who decides, and who sends which report within which hours.',
          due: 120,
        },
        {
          title: 'Practise a report of a major incident',
          description: 'First notice, interim and final report, against the clock.',
          due: 165,
          recurrence: YEARLY,
        },
      ],
    },
    {
      key: 'testing',
      title: 'Testing',
      from: 120,
      to: 300,
      tasks: [
        {
          title: 'Agree on the programme of tests for the year',
          description: 'Every system that carries a critical or important function, by independent testers.',
          due: 135,
          recurrence: YEARLY,
        },
        {
          title: 'Test continuity and recovery',
          description:
            'Switch over and back; with the times that were promised beside those that were reached.',
          due: 210,
          recurrence: YEARLY,
        },
        {
          title: 'Scan and assess weaknesses of critical systems',
          description: 'And mend by severity; what waits has an owner and a reason.',
          due: 150,
          recurrence: QUARTERLY,
        },
        {
          title: 'Rehearse the exit from a critical provider',
          description: 'On paper at least: data, people, time, money, and who takes over.',
          due: 270,
          recurrence: YEARLY,
        },
      ],
    },
    {
      key: 'review',
      title: 'Review',
      from: 300,
      to: 365,
      tasks: [
        {
          title: 'Audit the ICT risk framework',
          description: 'By auditors who know the matter and do not audit their own work.',
          due: 330,
          recurrence: YEARLY,
        },
        {
          title: 'Report on the review of the framework',
          description: 'What was found, what was learned from incidents and tests, what is changed.',
          due: 360,
          recurrence: YEARLY,
        },
      ],
    },
  ],
}
