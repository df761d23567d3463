export const roleWords = { admin: 'Admin', editor: 'Editor', viewer: 'Viewer' }

/** Roles, and what viewers may be besides. */
export const standingWords = { ...roleWords, auditor: 'Auditor', self_service: 'Self-service only' }
