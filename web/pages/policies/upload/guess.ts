/*
 * What a file of a policy is probably called, and what kind of document it is, by its name. Both are offered to be
 * changed, so a guess that is right for most names is worth more than one that is careful.
 */

/** Numbers and states that people put before and behind a title; taken off as long as there is one. */
const BEFORE = [
  /^[\s.]*\d{1,3}(?:\.\d{1,3}){0,3}[.)]?\s*[-–—:]?\s+(?=\p{L})/u,
  /^(?!(?:ISO|IEC|DIN|EN|BS|NIST|SOC|PCI|CIS|BSI)\b)[A-Z]{2,6}(?:[- ][A-Z]{1,6})*[- ]\d{1,5}\b\s*[-–—:]?\s+(?=\p{L})/u,
  /^\d{4}-?\d{2}-?\d{2}\s*[-–—:]?\s+(?=\p{L})/u,
]
const BEHIND = [
  /\s*[([]?\b(?:v|ver|version|rev|revision)\.?\s?\d+(?:[.\s]\d+){0,3}[a-z]?[)\]]?$/i,
  /\s*[([]?\b(?:draft|final|copy|clean|signed|approved|published|latest|entwurf|freigegeben|kopie)[)\]]?$/i,
  /\s*\(\d{1,3}\)$/,
  /\s*[([]?\b\d{4}(?:-?\d{2}(?:-?\d{2})?)?[)\]]?$/,
  /\s*[([]?\b\d{1,2}\.\d{1,2}\.\d{4}[)\]]?$/,
  /\s*[-–—,:]$/,
]

/**
 * The title that a file name stands for: "POL-003_access-control-policy_v1.2 (final).docx" is "Access control policy".
 * @returns never empty, and at most as long as the name of a policy
 */
export function titleOf(fileName: string): string {
  const stem = fileName.normalize('NFC').replace(/(?<=.)\.[^.\s]{1,8}$/, '')
  const spaced = apart(stem)
  let title = spaced
  for (let before = ''; before !== title; ) {
    before = title
    for (const sign of [...BEFORE, ...BEHIND]) title = title.replace(sign, '').trim() || title
  }
  const shown = /\p{L}/u.test(title) ? title : spaced || stem
  return (shown.charAt(0).toUpperCase() + shown.slice(1)).slice(0, NAME_AT_MOST)
}

const NAME_AT_MOST = 200

/** Words stand apart, whatever joined them in the name. */
function apart(stem: string): string {
  const signs = stem.replace(/[\p{Cc}\p{Cf}]/gu, '').replace(/[_+]/g, ' ')
  const hasSpaces = /\S\s+\S/.test(signs)
  // "access-control-policy", and not "Non-disclosure agreement".
  const joined = signs.replace(/\S+/g, (chunk) =>
    !hasSpaces || /\p{L}-\p{L}+-\p{L}/u.test(chunk)
      ? chunk.replace(/(?<=\p{L})-+(?=\p{L})/gu, ' ').replace(/--+/g, ' ')
      : chunk,
  )
  // "AccessControlPolicy", and not "ISO27001" or "macOS".
  const words = /\s/.test(joined.trim())
    ? joined
    : joined.replace(/(?<=\p{Ll}{2})(?=\p{Lu}\p{Ll})/gu, ' ').replace(/(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})/gu, ' ')
  const isSplit = words !== joined
  const lowered = isSplit
    ? words.replace(/(?<=\s)\p{Lu}(?=\p{Ll})/gu, (letter) => letter.toLowerCase())
    : words
  return lowered.replace(/\s+/g, ' ').trim()
}

/** In the languages that policies are most often written in; of several in one title the last one says it. */
const TYPES: readonly (readonly [type: string, words: RegExp])[] = [
  [
    'policy',
    /polic(?:y|ies)|richtlinie|leitlinie|politique|pol[ií]tica|beleid|polityka|politik\b|policyn?\b|regolamento/gi,
  ],
  [
    'procedure',
    /procedures?|process(?:es)?\b|playbook|runbook|work instruction|verfahren(?:sanweisung)?|arbeitsanweisung|prozess|proc[ée]d(?:ure|imiento|imento)|procedura|\bsop\b/gi,
  ],
  ['standard', /standards?|baseline|\bnorme?\b|\bnorma\b|est[áa]ndar|padr[ãa]o|norm\b/gi],
  [
    'guideline',
    /guidelines?|guidance|\bguide\b|leitfaden|directive|gu[ií]a\b|linee guida|richtlijn(?:en)?|wytyczne/gi,
  ],
  ['plan', /\bplans?\b|\w+plan\b|\bpiano\b|\bplano\b/gi],
  ['handbook', /handbook|manual\b|handbuch|manuel\b|manuale\b|handboek|podr[ęe]cznik/gi],
]

/** The type of document that the first of these titles names which names one; a policy, where none does. */
export const typeOf = (...titles: readonly string[]): string =>
  titles.map(typeIn).find((type) => type !== null) ?? 'policy'

function typeIn(title: string): string | null {
  let found: { type: string | null; at: number } = { type: null, at: -1 }
  for (const [type, words] of TYPES)
    for (const { index, 0: word } of title.matchAll(words)) {
      const end = index + word.length
      if (end > found.at) found = { type, at: end }
    }
  return found.type
}
