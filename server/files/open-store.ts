import type { FilesPlace } from '../config.ts'
import type { FileStore } from './store.ts'

/** The store that the settings name; what it takes to speak to it is loaded when it is first needed. */
export function openFileStore(place: FilesPlace): FileStore {
  let opened: Promise<FileStore> | null = null
  const store = () => {
    opened ??=
      'folder' in place
        ? import('./store/folder.ts').then(({ openFolder }) => openFolder(place.folder))
        : import('./store/bucket.ts').then(({ openBucket }) => openBucket(place))
    return opened
  }
  return {
    put: async (...given) => (await store()).put(...given),
    open: async function* (...given) {
      yield* (await store()).open(...given)
    },
    putPart: async (...given) => (await store()).putPart(...given),
    join: async (...given) => (await store()).join(...given),
    removeParts: async (...given) => (await store()).removeParts(...given),
    remove: async (key) => (await store()).remove(key),
    list: async function* () {
      yield* (await store()).list()
    },
  }
}
