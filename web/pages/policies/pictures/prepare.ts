import { formOf, HEAD_BYTES } from '../../../../model/file-types.ts'
import { PICTURE_BYTES_AT_MOST } from '../../../../model/policy-pictures.ts'
import { Problem } from '../../../client/problem.ts'
import { policies } from '../../../copy/policies.ts'

const words = policies.editor.pictures

const FORMS: readonly unknown[] = ['png', 'jpeg', 'gif', 'webp']
/** Signs of the longer side: twice as sharp as a sheet is printed. */
const SIDE_AT_MOST = 2_000
/** As it is, what is no larger. */
const BYTES_AS_IT_IS = 1024 * 1024

/**
 * A picture as a text shows it: a PNG or a JPEG, which a PDF and Word show too, no larger than a sheet has use for, and
 * without what a camera notes of the place. What needs no change is sent to the letter.
 * @throws {Problem} for what is no picture
 */
export async function preparePicture(file: File): Promise<File> {
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer())
  const form = formOf(head)
  const drawn = FORMS.includes(form) ? await createImageBitmap(file).catch(() => null) : null
  if (!drawn) throw refused(words.none(file.name))
  const isKept = form === 'png' || (form === 'jpeg' && !saysMore(head))
  const scale = Math.min(1, SIDE_AT_MOST / Math.max(drawn.width, drawn.height))
  if (isKept && scale === 1 && file.size <= BYTES_AS_IT_IS) return named(file, file.name, form)
  const [width, height] = [drawn.width, drawn.height].map((side) => Math.max(1, Math.round(side * scale)))
  const canvas = new OffscreenCanvas(width!, height!)
  canvas.getContext('2d')!.drawImage(drawn, 0, 0, width!, height!)
  drawn.close()
  const isPhoto = form === 'jpeg'
  const bytes = await canvas.convertToBlob(
    isPhoto ? { type: 'image/jpeg', quality: 0.9 } : { type: 'image/png' },
  )
  if (bytes.size > PICTURE_BYTES_AT_MOST) throw refused(words.large(file.name))
  return named(bytes, file.name, isPhoto ? 'jpeg' : 'png')
}

const refused = (detail: string): Problem =>
  new Problem({ code: 'file_refused', status: 0, requestId: null, title: words.refused, detail })

/** Whether a JPEG has notes of its camera: where it was taken, and which way up it is. */
const saysMore = (head: Uint8Array): boolean => new TextDecoder('latin1').decode(head).includes('Exif\0')

const ENDINGS = { png: 'png', jpeg: 'jpg' } as const

function named(bytes: Blob, name: string, form: keyof typeof ENDINGS): File {
  const called = name
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[/\\\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .trim()
  const type = `image/${form}`
  return new File([bytes], `${called.slice(0, 200) || 'Picture'}.${ENDINGS[form]}`, { type })
}
