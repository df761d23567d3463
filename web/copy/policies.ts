import { counted, countWord } from './counts.ts'
import { namesOf } from './names.ts'
import { lower } from './records.ts'

/** Whom publishing a version asks. */
interface Audience {
  readonly isAsked: boolean
  readonly people: number
  readonly told: number
  readonly toldByLink: number
  readonly leftAlone: number
  readonly sendsMail: boolean
  readonly membersOutside: number
}

/** The day that the policy says once a version is out, as it is written, and whether it is another than that. */
interface Effective {
  readonly day: string
  readonly isPast: boolean
  readonly isAhead: boolean
}

/** What the pages of policies say. */
export const policies = {
  text: {
    version: 'Version',
    ofVersion: (label: string, status: string) => `${label} · ${status}`,
    compare: 'Compare with',
    notCompared: 'Show the text alone',
    none: 'There is no text yet.',
    begin: 'Write the text',
    beginNext: 'Begin the next version',
    edit: 'Edit',
    download: 'Download',
    formats: { pdf: 'PDF', docx: 'Word document' },
    label: 'Text of the policy',
    published: 'published',
    publishedOn: 'on',
    publishedBy: 'by',
    ended: 'No longer in force',
    hash: 'SHA-256 of the text',
    changelog: 'What changed',
    inForce: (label: string) => `Version ${label} is in force; this one is not yet.`,
    since: (label: string) => `Show what changed since version ${label}`,
    overtaken: (label: string) => `Version ${label} is in force in its place.`,
    discarded: 'Discarded: nobody goes on with it.',
    rejected: 'Rejected',
    rejectedBy: 'Rejected by',
    nextInMaking: (label: string, status: string) => `Version ${label} is in preparation: ${lower(status)}.`,
    lookAt: (label: string) => `Open version ${label}`,
    placeholders: 'Names and dates are filled in for good when it is submitted.',
    unsaved: {
      title: 'You have a text here that is not saved',
      text: (when: string) => `Last written on ${when}, and kept in this browser alone.`,
      goOn: 'Go on writing',
      closed: 'This version is closed, so it cannot be saved here. Copy what you need of it.',
      show: 'Show it',
    },
  },
  paper: {
    organization: 'Organization',
    reference: 'Reference',
    version: 'Version',
    owner: 'Owner',
    approvedBy: 'Approved by',
    published: 'Published',
    inForce: 'In force from',
    review: 'Next review',
  },
  file: {
    put: 'Use a file',
    replace: 'Replace the file',
    download: 'Download',
    hash: 'SHA-256 of the file',
    text: 'Text',
    same: 'Both are the same file.',
    notByWord: 'Files are not compared by word: download them.',
    takesItsPlace: 'This version is a file. What you write here takes its place once it is saved.',
    instead: {
      title: 'Put the file in place of the text?',
      another: 'Put another file in its place?',
      voids: 'It is with its approvers: another file makes it a draft again, and voids what they decided.',
      text: (name: string) => `“${name}” becomes this version, and the text that is written in it goes.`,
      verb: 'Use the file',
    },
  },
  answers: {
    title: 'Requirements that its template answers',
    later: (count: number) =>
      `Its template answers ${counted(count, 'requirement', 'requirements')} of frameworks that are not active here. Once one is, they are linked from here.`,
    open: (count: number) =>
      `Its template answers ${counted(count, 'requirement', 'requirements')} that ${count === 1 ? 'is' : 'are'} not linked with it yet.`,
    link: (count: number) => (count === 1 ? 'Link it' : `Link the ${countWord(count)}`),
  },
  approval: {
    title: 'Approval',
    any: 'One of its approvers must approve it.',
    all: 'All of its approvers must approve it.',
    n: (count: number) => `${countWord(count)} of its approvers must approve it.`,
    tooMany: (count: number, approvers: number) =>
      `${countWord(count)} of its approvers must approve it, and it has ${countWord(approvers)}: under “Details”, name more of them, or ask for fewer.`,
    notNeeded: 'Not needed any more',
    nobody: (missing: readonly ('owner' | 'approver' | 'effectiveDate')[]) => {
      const people = missing.filter((field) => field !== 'effectiveDate')
      const day = 'Its text names the day “In force from”, which the policy does not say yet.'
      return [
        ...(people.length > 0 ? [`The policy has no ${people.join(' and no ')} yet.`] : []),
        ...(people.length < missing.length ? [day] : []),
        'Choose before you submit it.',
      ].join(' ')
    },
    name: 'Save',
    ready: 'Approved as its approvers read it: it can be published.',
    yours: 'You are asked to decide on this text.',
    programs: (names: readonly string[]) =>
      `${names.length === 1 ? 'A program' : 'Programs'} wrote in this text: ${namesOf(names.map((name) => `“${name}”`))}.`,
  },
  notYetApproved: 'not yet approved',
  publishing: {
    text: (label: string, audience: Audience, dueDay: string, effective: Effective) =>
      [
        ...askedWords(audience, dueDay),
        ...outsideWords(audience),
        `Version ${label} comes into force at once.`,
        effectiveWords(effective),
      ]
        .filter(Boolean)
        .join(' '),
  },
  editor: {
    write: 'Write',
    preview: 'Preview',
    label: 'Text of the version',
    changelog: 'What changed',
    changelogHelp:
      'For those who read this version: what is new since the one before, in one or two sentences.',
    material: 'Changes what people have to do',
    materialHelp: 'The version gets a whole number of its own, such as 3.0; else 2.2 after 2.1.',
    save: 'Save',
    cancel: 'Cancel',
    unsaved: 'Not saved yet',
    voids:
      'It is with its approvers: saving another text makes it a draft again, and voids what they decided.',
    kept: (when: string) => `You wrote this on ${when} and did not save it. It was kept in this browser.`,
    discard: 'Discard what is not saved',
    unknown: (names: readonly string[]) =>
      `${namesOf(names.map((name) => `{{${name}}}`))} ${names.length === 1 ? 'is no placeholder' : 'are no placeholders'}: choose from “Insert a placeholder”, or write \\{{ for braces that are meant as they stand.`,
    meanwhile: {
      title: 'Another text was saved meanwhile',
      text: 'Below is what yours would change in it. Nothing is saved until you say which one goes on.',
      keep: 'Go on with mine',
      take: 'Take the saved one',
      label: 'What yours would change',
      saved: 'the saved text',
      yours: 'your text',
    },
    lose: {
      title: 'Leave without saving?',
      text: 'What you wrote since it was last saved will be lost.',
      submit: 'Leave',
    },
    tools: {
      label: 'Format',
      heading: 'Heading',
      subheading: 'Subheading',
      bold: 'Bold',
      italic: 'Italic',
      list: 'List',
      numbered: 'Numbered list',
      link: 'Link',
      table: 'Table',
      picture: 'Picture',
      placeholder: 'Insert a placeholder',
    },
    headings: { heading: 'H2', subheading: 'H3' },
    /** What a text from elsewhere had, and has here no more. */
    lost: {
      struck: 'Struck-through text was left out.',
      cellLines: 'A table cell has one line here: the paragraphs within one were joined.',
    },
    pictures: {
      refused: 'This picture is not taken',
      none: (name: string) =>
        `${name} is no picture that can be shown here: take one that ends in .png, .jpg, .gif or .webp.`,
      large: (name: string) => `${name} is too large, also once it is made smaller.`,
    },
    placeholders: {
      'organization.name': 'Name of the organization',
      'policy.owner': 'Owner',
      'policy.approver': 'Approver',
      'policy.effectiveDate': 'In force from',
      'policy.versionLabel': 'Version',
    },
  },
  log: {
    none: 'Nothing has happened yet.',
    label: 'Log of the policy',
    text: 'What happened to it, to its versions and exceptions, the latest first.',
    version: 'Version',
    events: {
      created: 'added the policy',
      edited: 'edited',
      submitted: 'submitted for approval',
      withdrawn: 'withdrew from approval',
      approved: 'approved',
      rejected: 'rejected',
      voided: 'voided the decision on',
      published: 'published',
      discarded: 'discarded',
      retired: 'retired the policy',
      restored: 'restored the policy',
      owner_changed: 'changed the owner',
      approver_changed: 'changed the approver',
      review_date_changed: 'changed the next review',
      exception_requested: 'requested',
      exception_granted: 'granted',
      exception_denied: 'denied',
      exception_revoked: 'revoked',
      exception_expired: 'ended, as it expired,',
      attestation_requested: 'asked its audience to acknowledge',
      attestation_ended: 'ended requests to acknowledge',
      attestation_acknowledged: 'acknowledged',
      attestation_exempted: 'exempted somebody from acknowledging',
      attestation_reminded: 'reminded those who have not acknowledged it',
      certificate_downloaded: 'downloaded a certificate of acknowledgements',
      link_extended: 'extended a guest link',
      link_revoked: 'revoked a guest link',
      link_sent: 'sent a new guest link',
    },
    asked: (people: number) => `asked ${counted(people, 'person', 'people')} to acknowledge`,
    ended: (requests: number) => `ended ${counted(requests, 'request', 'requests')} to acknowledge`,
    exempted: (person: string) => `exempted ${person} from acknowledging`,
    reminded: (person: string) => `reminded ${person}, who has not acknowledged it`,
    voided: (approver: string, isDecided: boolean) =>
      isDecided
        ? `voided the decision of ${approver} on`
        : `withdrew the request for a decision by ${approver} on`,
    links: {
      link_extended: (guest: string) => `extended the guest link of ${guest}`,
      link_revoked: (guest: string) => `revoked the guest link of ${guest}`,
      link_sent: (guest: string) => `sent ${guest} a new guest link`,
    } as Readonly<Record<string, (guest: string) => string>>,
    thePolicy: 'the policy',
    exception: 'an exception',
  },
  standing: {
    label: 'How policies stand',
    draft: 'Draft',
    inForce: 'In force',
    inReview: 'In review',
    overdue: 'Review overdue',
    templates: 'Templates',
    upload: 'Upload files',
  },
  templates: {
    title: 'Policy templates',
    about:
      'Texts to begin with. Read one, and add it: it becomes a draft that you adapt, submit and publish.',
    text: 'Text of the template',
    answered: (all: number, linked: number) =>
      linked > 0 ? `${countWord(all)}, ${countWord(linked)} of active frameworks` : countWord(all),
    answersOf: (framework: string, count: number) =>
      `${framework}: ${counted(count, 'requirement', 'requirements')}`,
    read: 'Read',
    readOne: (title: string) => `Read “${title}”`,
    add: 'Add',
    addOne: (title: string) => `Add “${title}”`,
    addThis: 'Add as a draft',
    there: 'Open',
    columns: { title: 'Template', answers: 'Requirements', acts: 'What to do' },
    register: 'All policies',
  },
}

/** Whom publishing asks, and who of them hears of it. */
function askedWords(audience: Audience, dueDay: string): string[] {
  const { isAsked, people, told } = audience
  if (!isAsked) return ['Nobody is asked to acknowledge it: that is set up under “Acknowledgement”.']
  if (people === 0)
    return ['Nobody is asked to acknowledge it: everybody of its audience has, or its audience is empty.']
  const going = people - told
  const goOn =
    going === 0
      ? []
      : [
          `${counted(going, 'person who was asked before goes', 'people who were asked before go')} on being asked, by the same day and by the same link, and ${going === 1 ? 'is' : 'are'} sent nothing now.`,
        ]
  if (told === 0) return goOn
  return [
    `${counted(told, 'person is', 'people are')} asked to acknowledge it by ${dueDay}.`,
    ...linkWords(audience),
    ...goOn,
  ]
}

function outsideWords({ isAsked, membersOutside }: Audience): string[] {
  if (!isAsked || membersOutside === 0) return []
  return [
    `${counted(membersOutside, 'active member is', 'active members are')} not in the directory and ${membersOutside === 1 ? 'is' : 'are'} not asked. To include them, add them under “Directory” first.`,
  ]
}

function linkWords({ toldByLink, leftAlone, sendsMail }: Audience): string[] {
  if (toldByLink + leftAlone === 0) return ['All of them sign in, and are told in the app.']
  if (!sendsMail) {
    const [who, links] = toldByLink === 1 ? ['does', 'the link'] : ['do', 'their links']
    return [
      `${countWord(toldByLink)} of them ${who} not sign in: as this service sends no mail, hand ${links} over, under “Acknowledgement”.`,
    ]
  }
  return [
    ...(toldByLink > 0
      ? [`${counted(toldByLink, 'mail goes', 'mails go')} out now, to those who do not sign in.`]
      : []),
    ...(leftAlone > 0
      ? [
          `${counted(leftAlone, 'person is', 'people are')} not mailed, as the last mail to their address came back: correct it in the directory, or remind them under “Acknowledgement”.`,
        ]
      : []),
  ]
}

const effectiveWords = ({ day, isPast, isAhead }: Effective): string =>
  isAhead
    ? `“In force from” says ${day}, which lies ahead: nothing waits for that day. To wait for it, publish then.`
    : isPast
      ? `“In force from” says ${day}.`
      : ''
