/*
 * Texts that mean harm, for whatever shows what somebody else wrote: markup, addresses that run, signs that cannot be seen
 * or turn what is around them, Markdown that is long to read, and each of these within the others.
 */

const HARM = "document.title='owned'"

const SEEDS = [
  `<script>${HARM}</script>`,
  `<img src=x onerror="${HARM}">`,
  `<svg onload="${HARM}">`,
  `<iframe srcdoc="<script>parent.${HARM}</script>"></iframe>`,
  `<style>*{display:none}</style>`,
  `<base href="https://evil.example/">`,
  `<meta http-equiv="refresh" content="0;url=https://evil.example/">`,
  `</li></ul><h1 id="planted">Planted</h1>`,
  `[click](javascript:${HARM})`,
  `[click](data:text/html,<script>${HARM}</script>)`,
  `![x](https://evil.example/pixel.png)`,
  `https://evil.example/"onmouseover="${HARM}`,
  `{{constructor.constructor("${HARM}")()}}`,
  '@[x](javascript:alert(1))',
  '@[](usr_00000000000000000000000000)',
  '\u202egnp.exe\u2066 \u2069',
  'zero\u200bwidth\u200d\ufeffjoined',
  '\u2028line\u2029paragraph',
  '=HYPERLINK("https://evil.example")',
  "'; drop table comments; --",
  '__proto__',
  '%00%0d%0aSet-Cookie: a=b',
  'Z\u0351\u036b\u0343\u036aa\u0300\u0301\u0302lgo',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u{e0001}',
  '*'.repeat(60),
]

const WRAPPERS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `# ${text}`,
  (text) => `> ${text}`,
  (text) => `- ${text}\n- ${text}`,
  (text) => `1. ${text}`,
  (text) => `**${text}**`,
  (text) => `_${text}_`,
  (text) => `\`${text}\``,
  (text) => `\`\`\`\n${text}\n\`\`\``,
  (text) => `[${text}](https://a.example/${encodeURIComponent(text.toWellFormed())})`,
  (text) => `[a](${text})`,
  (text) => `@[${text}](usr_00000000000000000000000000)`,
  (text) => `${text}\n\n${text}`,
  (text) => `"${text}"`,
  (text) => `\`${text}`,
  (text) => `**_${text}`,
  (text) => `<!-- ${text} -->`,
  (text) => `&lt;${text}&gt;`,
  (text) => `${text}${' '.repeat(40)}.`,
  (text) => text.repeat(20),
]

/** Each seed in each wrapper: 500. */
export const HOSTILE_TEXTS: readonly string[] = SEEDS.flatMap((text) => WRAPPERS.map((wrap) => wrap(text)))
