export const roleWords = { admin: 'Admin', editor: 'Editor', viewer: 'Viewer' }
