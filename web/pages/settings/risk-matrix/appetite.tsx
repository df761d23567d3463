import { NativeSelect, Paper, SimpleGrid } from '@mantine/core'
import type { Appetite, RiskMatrix } from '../../../../model/risk-matrix.ts'
import { LEVELS, type Level } from '../../../../model/scales.ts'
import { Section } from '../../../components/section.tsx'
import { matrixEditor } from '../../../copy/matrix-editor.ts'
import { valueWord } from '../../../copy/records.ts'

const words = matrixEditor.appetite

/** Of each category, the highest level that is still acceptable. */
export function AppetiteFields({
  matrix: { appetite, levels },
  change,
}: {
  matrix: RiskMatrix
  change: (appetite: Appetite) => void
}) {
  return (
    <Section title={words.title} text={words.text}>
      <Paper withBorder p="md">
        <SimpleGrid cols={{ base: 2, md: 3 }} spacing="sm">
          {Object.entries(appetite).map(([category, level]) => (
            <NativeSelect
              key={category}
              size="xs"
              label={valueWord(category)}
              aria-label={words.of(valueWord(category))}
              value={level ?? ''}
              onChange={({ currentTarget }) =>
                change({ ...appetite, [category]: (currentTarget.value || null) as Level | null })
              }
              data={[
                { value: '', label: words.none },
                ...LEVELS.map((one) => ({ value: one, label: words.upTo(levels[one].label) })),
              ]}
            />
          ))}
        </SimpleGrid>
      </Paper>
    </Section>
  )
}
