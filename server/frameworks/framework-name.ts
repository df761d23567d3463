/**
 * What a framework is called within a line, with its edition unless its name has that already: an expression.
 * @param of the table, with its dot
 */
export const shortNameIn = (of: string): string =>
  `coalesce(${of}short_name, ${of}name)
     || case when strpos(coalesce(${of}short_name, ${of}name), ${of}edition) > 0 then '' else ' ' || ${of}edition end`
