import { NativeSelect, Paper, TextInput } from '@mantine/core'
import {
  LEVEL_COLOURS,
  type LevelColour,
  type LevelStyle,
  type RiskMatrix,
} from '../../../../model/risk-matrix.ts'
import { LEVELS, type Level } from '../../../../model/scales.ts'
import { LevelMark } from '../../../components/level-mark.tsx'
import { Section } from '../../../components/section.tsx'
import { matrixEditor } from '../../../copy/matrix-editor.ts'
import styles from './matrix.module.css'
import { LabelInput } from './steps.tsx'

const { steps: words, levels: own, colours } = matrixEditor

/** What the levels are called and look like. */
export function LevelFields({
  matrix: { levels },
  change,
  isWrong,
}: {
  matrix: RiskMatrix
  change: (levels: RiskMatrix['levels']) => void
  isWrong: (path: string) => boolean
}) {
  const set = (level: Level, style: Partial<LevelStyle>) =>
    change({ ...levels, [level]: { ...levels[level], ...style } })
  return (
    <Section title={own.title} text={own.text}>
      <Paper withBorder p="xs">
        <table className={styles.steps} aria-label={own.title}>
          <thead>
            <tr>
              {[words.key, words.label, own.colour, words.description, own.looks].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...LEVELS].reverse().map((level) => {
              const { label, colour, description } = levels[level]
              return (
                <tr key={level}>
                  <th scope="row">{level}</th>
                  <td data-title={words.label}>
                    <LabelInput
                      name={level}
                      label={label}
                      isWrong={isWrong(`levels.${level}.label`)}
                      set={(text) => set(level, { label: text })}
                    />
                  </td>
                  <td data-title={own.colour}>
                    <NativeSelect
                      size="xs"
                      aria-label={own.colourOf(level)}
                      error={isWrong(`levels.${level}.colour`)}
                      leftSection={<span className={styles.swatch} data-colour={colour} />}
                      value={colour}
                      onChange={({ currentTarget }) =>
                        set(level, { colour: currentTarget.value as LevelColour })
                      }
                      data={LEVEL_COLOURS.map((one) => ({ value: one, label: colours[one] }))}
                    />
                  </td>
                  <td data-title={words.description}>
                    <TextInput
                      size="xs"
                      maxLength={500}
                      aria-label={words.descriptionOf(level)}
                      value={description ?? ''}
                      onChange={({ currentTarget }) =>
                        set(level, { description: currentTarget.value || null })
                      }
                    />
                  </td>
                  <td className={styles.looks}>
                    <LevelMark level={level} style={levels[level]} />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </Paper>
    </Section>
  )
}
