export const secrets = {
  showPassword: 'Show password',
  once: 'It is shown this once. Put it where the program reads its secrets.',
  kept: 'I Have Kept It',
}
