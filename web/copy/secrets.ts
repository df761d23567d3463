export const secrets = {
  showPassword: 'Show password',
  once: 'It is shown only once. Store it where the program reads its secrets.',
  kept: 'I have saved it',
}
