export const password = {
  also: {
    title: 'If somebody else may know the old password',
    text: 'Connected apps and API keys keep working unless you revoke them here.',
    apps: 'Revoke all my connected apps',
    keys: 'Revoke all API keys that I created',
    keysHint: 'Programs that use them lose access immediately.',
  },
}
