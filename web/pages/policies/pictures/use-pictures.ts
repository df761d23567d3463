import { useMutation } from '@tanstack/react-query'
import { uploadFile } from '../../../client/uploads.ts'
import { calledIn } from './called-in.ts'
import { preparePicture } from './prepare.ts'

/** Takes pictures into a text: each is sent, and named where the text is written on. */
export function usePictures(place: string, insert: (text: string) => void) {
  const taking = useMutation({
    mutationFn: async (files: readonly File[]) => {
      for (const file of files) {
        const picture = await preparePicture(file)
        const { id } = await uploadFile(place, picture)
        insert(`![${calledIn(picture)}](${id})`)
      }
    },
  })
  return { take: taking.mutate, isTaking: taking.isPending, problem: taking.error }
}

/** The pictures among what is pasted or dropped; none where words come along, of which they are another form. */
export const picturesAmong = (data: DataTransfer): File[] =>
  data.getData('text/plain').trim() === ''
    ? [...data.files].filter(({ type }) => type.startsWith('image/'))
    : []
