import { DEFAULT_MATRIX, type RiskMatrix } from '../../model/risk-matrix.ts'

/*
 * The risk matrix of the organization, in one place, as its formats are (formats.ts): what follows from a rating, and
 * what levels and steps are called and look like. It comes with the session.
 */

let matrix: RiskMatrix = DEFAULT_MATRIX

/** That of the organization that the session is in; null for the one of every organization. */
export function setRiskMatrix(next: RiskMatrix | null): void {
  matrix = next ?? DEFAULT_MATRIX
}

export const riskMatrix = (): RiskMatrix => matrix
