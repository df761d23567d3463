export const secrets = {
  once: 'It is shown this once. Put it where the program reads its secrets.',
  kept: 'I Have Kept It',
}
