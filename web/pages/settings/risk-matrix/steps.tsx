import { Paper, TextInput } from '@mantine/core'
import type { RiskMatrix, Step } from '../../../../model/risk-matrix.ts'
import { IMPACTS, LIKELIHOODS } from '../../../../model/scales.ts'
import { Section } from '../../../components/section.tsx'
import { matrixEditor } from '../../../copy/matrix-editor.ts'
import styles from './matrix.module.css'

const words = matrixEditor.steps

/** What the steps of one side are called, and what each stands for. */
export function StepFields({
  part,
  matrix,
  change,
  isWrong,
}: {
  part: 'likelihoods' | 'impacts'
  matrix: RiskMatrix
  change: (part: Partial<RiskMatrix>) => void
  isWrong: (path: string) => boolean
}) {
  const steps = matrix[part] as Readonly<Record<string, Step>>
  const set = (key: string, step: Partial<Step>) =>
    change({ [part]: { ...steps, [key]: { ...steps[key], ...step } } })
  return (
    <Section title={words[part]} text={words.text}>
      <Paper withBorder p="xs">
        <table className={styles.steps} aria-label={words[part]}>
          <thead>
            <tr>
              <th scope="col">{words.key}</th>
              <th scope="col">{words.label}</th>
              <th scope="col" style={{ width: '60%' }}>
                {words.description}
              </th>
            </tr>
          </thead>
          <tbody>
            {(part === 'likelihoods' ? LIKELIHOODS : IMPACTS).map((key) => (
              <tr key={key}>
                <th scope="row">{key}</th>
                <td data-title={words.label}>
                  <LabelInput
                    name={key}
                    label={steps[key]!.label}
                    isWrong={isWrong(`${part}.${key}.label`)}
                    set={(text) => set(key, { label: text })}
                  />
                </td>
                <td data-title={words.description}>
                  <TextInput
                    size="xs"
                    maxLength={500}
                    aria-label={words.descriptionOf(key)}
                    value={steps[key]!.description ?? ''}
                    onChange={({ currentTarget }) => set(key, { description: currentTarget.value || null })}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Paper>
    </Section>
  )
}

/** What one is called. */
export const LabelInput = ({
  name,
  label,
  isWrong,
  set,
}: {
  name: string
  label: string
  isWrong: boolean
  set: (label: string) => void
}) => (
  <TextInput
    size="xs"
    maxLength={40}
    aria-label={words.labelOf(name)}
    error={isWrong || label.trim() === ''}
    value={label}
    onChange={({ currentTarget }) => set(currentTarget.value)}
  />
)
