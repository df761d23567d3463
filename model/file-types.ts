/**
 * Which files are taken, by what their name ends in and by what they begin with. The list is of what evidence comes as:
 * documents, pictures, sheets, text, mails. What a browser would run, such as HTML and SVG, is not among it; an operator
 * may add further types (`FILE_TYPES`).
 */
export interface FileType {
  /** Media type. */
  readonly type: string
  /** What names of such files end in; the first is the usual one. */
  readonly endings: readonly string[]
  /** What the bytes look like from outside. */
  readonly form: FileForm
}

export const FILE_FORMS = ['pdf', 'png', 'jpeg', 'gif', 'webp', 'zip', 'ole', 'gzip', 'mp4', 'text'] as const
export type FileForm = (typeof FILE_FORMS)[number]

const OFFICE = 'application/vnd.openxmlformats-officedocument'
const OPEN = 'application/vnd.oasis.opendocument'

export const FILE_TYPES: readonly FileType[] = [
  { type: 'application/pdf', endings: ['pdf'], form: 'pdf' },
  { type: 'image/png', endings: ['png'], form: 'png' },
  { type: 'image/jpeg', endings: ['jpg', 'jpeg'], form: 'jpeg' },
  { type: 'image/gif', endings: ['gif'], form: 'gif' },
  { type: 'image/webp', endings: ['webp'], form: 'webp' },
  { type: `${OFFICE}.wordprocessingml.document`, endings: ['docx'], form: 'zip' },
  { type: `${OFFICE}.spreadsheetml.sheet`, endings: ['xlsx'], form: 'zip' },
  { type: `${OFFICE}.presentationml.presentation`, endings: ['pptx'], form: 'zip' },
  { type: `${OPEN}.text`, endings: ['odt'], form: 'zip' },
  { type: `${OPEN}.spreadsheet`, endings: ['ods'], form: 'zip' },
  { type: `${OPEN}.presentation`, endings: ['odp'], form: 'zip' },
  { type: 'application/msword', endings: ['doc'], form: 'ole' },
  { type: 'application/vnd.ms-excel', endings: ['xls'], form: 'ole' },
  { type: 'application/vnd.ms-powerpoint', endings: ['ppt'], form: 'ole' },
  { type: 'application/vnd.ms-outlook', endings: ['msg'], form: 'ole' },
  { type: 'message/rfc822', endings: ['eml'], form: 'text' },
  { type: 'text/plain', endings: ['txt', 'log', 'conf', 'cfg', 'ini'], form: 'text' },
  { type: 'text/markdown', endings: ['md'], form: 'text' },
  { type: 'text/csv', endings: ['csv'], form: 'text' },
  { type: 'application/json', endings: ['json', 'jsonl', 'sarif'], form: 'text' },
  { type: 'application/yaml', endings: ['yaml', 'yml'], form: 'text' },
  { type: 'application/xml', endings: ['xml'], form: 'text' },
  { type: 'application/zip', endings: ['zip'], form: 'zip' },
  { type: 'application/gzip', endings: ['gz', 'tgz'], form: 'gzip' },
  { type: 'video/mp4', endings: ['mp4'], form: 'mp4' },
]

/** What stands behind the last dot of a name, in small letters. */
export const endingOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

/** The type of a file by its name; none where such a file is not on the list. */
export const typeByName = (name: string): FileType | undefined => {
  const ending = endingOf(name)
  return FILE_TYPES.find(({ endings }) => endings.includes(ending))
}

/** So many bytes of the beginning tell what a file is. */
export const HEAD_BYTES = 4_100

/** What the first bytes of a file look like; none where it is nothing that is known here. */
export function formOf(head: Uint8Array): FileForm | undefined {
  const begins = (...bytes: number[]) => bytes.every((byte, index) => head[index] === byte)
  const says = (text: string, at: number) =>
    [...text].every((letter, index) => head[at + index] === letter.charCodeAt(0))
  if (says('%PDF-', 0)) return 'pdf'
  if (begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png'
  if (begins(0xff, 0xd8, 0xff)) return 'jpeg'
  if (says('GIF87a', 0) || says('GIF89a', 0)) return 'gif'
  if (says('RIFF', 0) && says('WEBP', 8)) return 'webp'
  if (says('PK', 0) && [0x0304, 0x0506].includes((head[2]! << 8) | head[3]!)) return 'zip'
  if (begins(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)) return 'ole'
  if (begins(0x1f, 0x8b)) return 'gzip'
  if (says('ftyp', 4)) return 'mp4'
  return isText(head) ? 'text' : undefined
}

/** Within so many bytes of its beginning a PDF says that it is one, as readers of PDFs take it. */
const PDF_HEADER_WITHIN = 1_024

/**
 * Whether a file that claims this form has it. A PDF may have other bytes before its header, which mail gateways and
 * scanners write there, unless these are of another form: a file is not two things. An archive begins with its first entry,
 * so that no program that unpacks itself is one.
 */
export function isOfForm(head: Uint8Array, form: FileForm): boolean {
  const found = formOf(head)
  if (form !== 'pdf' || found === 'pdf') return found === form
  return (found === undefined || found === 'text') && hasPdfHeader(head.subarray(0, PDF_HEADER_WITHIN))
}

const hasPdfHeader = (bytes: Uint8Array): boolean =>
  Array.from(bytes, (byte) => String.fromCharCode(byte))
    .join('')
    .includes('%PDF-')

/** Text in any encoding that has no zero bytes; or in UTF-16, which says so first. */
function isText(head: Uint8Array): boolean {
  const isWide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)
  return isWide || !head.includes(0)
}
