import type { Noun } from '../../model/kind.ts'
import { withArticle } from '../../model/roles.ts'
import { lower } from './records.ts'

const listed = (names: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names)

/* What the help says to people: about risks, controls and who may do what, and nothing about the API. */

const quoted = (buttons: readonly string[]): string => buttons.map((button) => `“${button}”`).join(' or ')

export const help = {
  firstSteps: 'Show the first steps on the overview',
  title: 'Help',
  text: 'What things are called here, how levels come about, who may do what, and where to look.',
  contents: 'On this page',
  terms: {
    title: 'What things are called',
    list: [
      [
        'Risk',
        'Something that could go wrong. It has a likelihood and an impact, and from the two a level. It has an owner who answers for it, and stays open until somebody closes it with a reason.',
      ],
      [
        'Treatment',
        'What is done about one risk, with an owner and a date. Somebody else than the owner looks in the end whether it works.',
      ],
      [
        'Acceptance',
        'That a risk is lived with as it is, until a day. One person asks for it and another one decides; a risk that is rated otherwise later is accepted no longer.',
      ],
      [
        'Security finding',
        'A weakness that somebody or something found. How grave it is says by when it is to be resolved.',
      ],
      [
        'Asset',
        'Something of value: a service, a server, a building, information. It may be part of another.',
      ],
      ['Vendor', 'Somebody you buy from, from the first look until nothing of yours is there any more.'],
      [
        'Control',
        'What you do so that rules are kept and risks stay small: a rule, a process, a technical measure. A control is linked to the risks that it reduces.',
      ],
      [
        'Framework',
        'A set of requirements that you answer to, such as ISO 27001 or SOC 2, in one edition. Once it is activated, each requirement waits for an answer.',
      ],
      [
        'Requirement',
        'What a framework asks. Its result follows from the controls that are linked to it and their evidence, also through requirements of other frameworks that are mapped to it, until somebody pins it with a reason.',
      ],
      [
        'Evidence',
        'What shows that something is done: files, a link or a text. Somebody may be asked for it until a day; a reviewer approves it, and it counts until it expires.',
      ],
      ['Plan', 'What is to be reached until a day, in phases. How far it is follows from its tasks.'],
      [
        'Task',
        'A piece of work for one person, with a day, steps to tick, and a rule where it comes again. What a program suggests is nobody’s duty until a person accepts it.',
      ],
      [
        'My work',
        'All that is yours to decide, to hand in and to do, what was due first above; the calendar shows the same by days.',
      ],
      [
        'Inbox',
        'What you were given, asked and told. Under “Notifications” of your account you choose what is mailed as well.',
      ],
      [
        'Level',
        'How grave a risk is: low, medium, high or critical. It is computed, and nobody types it in.',
      ],
      [
        'State',
        'How far a risk or a control has come. From each state only some others follow, and some ask for a reason.',
      ],
      [
        'Owner',
        'Who answers for a record: somebody who signs in here, or a person of the directory who never does.',
      ],
      [
        'Reference',
        'The short number of a record, such as RSK-12. It never changes, and the search finds it.',
      ],
    ],
  },
  levels: {
    title: 'How levels are computed',
    text: 'Likelihood and impact each have five steps, and each pair of them has a level and a score, as the table says. Admins set both under “Levels of risk”. A risk with only one of the two is not assessed and has no level.',
    table: 'Level by likelihood and impact',
    corner: 'Impact down, likelihood across',
    scores: 'Scores',
    range: (from: number, to: number) => (from === to ? `${from}` : `${from} to ${to}`),
    ratings: [
      ['Inherent', 'as it would be without any control'],
      [
        'Current',
        'as it is now, with the controls that work; lists, the matrix and the overview show this one',
      ],
      ['Residual', 'as it will be once the planned controls work'],
      ['Target', 'the level that you want to get down to; you choose it'],
    ],
  },
  states: {
    title: 'States, and what each asks for',
    caption: (noun: Noun, field?: string) =>
      `States of ${withArticle(noun)}${field ? `: ${lower(field)}` : ''}`,
    next: (state: string, by: readonly string[]) => (by.length > 0 ? `${state} (by ${quoted(by)})` : state),
    only: (by: readonly string[]) =>
      by.length > 0 ? `Only by ${quoted(by)}, on the page of the record` : 'Only by an action of its own',
    columns: { state: 'State', next: 'May become', asks: 'Asks for' },
    admins: (state: string) => `Only an admin leads it out of: ${state}.`,
    nothing: '—',
  },
  people: {
    title: 'Who may do what',
    text: 'Everybody has one role in an organization. A change of role holds from the next click.',
    invite:
      'To invite somebody, open “Members” under “Settings” and choose “Invite”: their name, their e-mail and a role. They get a link that works once and is valid for seven days. Without a mail server, the link is shown to you, and you hand it over.',
    inviteLink: 'Open Members',
    askAdmin: 'Admins invite people.',
    table: 'What each role may do',
    what: 'What',
    may: 'Yes',
    mayNot: 'No',
    rights: {
      read: (kinds: readonly string[]) => `Read ${listed(kinds)}, and the history of each record`,
      write: 'Add, change, link and delete records',
      reserved: (kinds: readonly string[]) => `Add and delete ${listed(kinds)}`,
      own: (kinds: readonly string[]) =>
        `Accept, dismiss and do the ${listed(kinds)} given to them, step by step`,
      settings: 'Invite people, change roles, and change the settings',
      developer: 'Manage API keys and webhooks, and see the delivery log',
      audit: 'Read and export the audit log',
    },
  },
  webhooks: {
    title: 'What leaves through webhooks',
    text: 'Nothing, until an admin adds an address under “Developer”, “Webhooks”, and chooses what it should hear of. From then on each such change is sent there, signed, with the whole record as it is then. Every message that left, and what came back, stands in the delivery log.',
    list: 'Changes that can be sent',
    open: 'Open Webhooks',
  },
  audit: {
    title: 'Where to see who did what',
    record: 'For one record: its “History” tab.',
    all: 'For everything, sign-ins and settings too: “Audit log”, under “Settings”, for admins. It can be filtered and exported, and its entries are sealed one upon the other, so that a change made behind the back of the app shows.',
    open: 'Open the audit log',
  },
  more: {
    title: 'Keys, programs and agents',
    keys: 'Press ? on any page to see the keyboard shortcuts.',
    api: 'For those who write programs or connect agents:',
    docs: 'API documentation',
  },
}
