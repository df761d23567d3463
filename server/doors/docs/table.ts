import { type Html, html } from './html.ts'

type Cell = Html | string | number

/** A table whose first cell names its row. @param rows the cells of each, and the id by which it is pointed at */
export const table = (
  columns: readonly string[],
  rows: readonly { id?: string; cells: readonly [Cell, ...Cell[]] }[],
): Html => html`<div class="table"><table>
<thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map(
  ({ id, cells: [first, ...others] }) =>
    html`<tr${id !== undefined && html` id="${id}"`}><th scope="row">${first}</th>${others.map((cell) => html`<td>${cell}</td>`)}</tr>`,
)}</tbody></table></div>`

export const code = (text: string): Html => html`<code>${text}</code>`
