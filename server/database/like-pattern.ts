/** What `like` and `ilike` find a part of a text by: its own signs, none of which stands for others. */
export const likePattern = (part: string): string => `%${part.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
