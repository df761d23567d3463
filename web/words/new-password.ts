export const password = {
  also: {
    title: 'If somebody else may have had the old one',
    text: 'Apps and API keys go on with the new password, unless you end them here.',
    apps: 'Disconnect every app that I let in',
    keys: 'Revoke every API key that I made',
    keysHint: 'What runs with them stops at once.',
  },
}
