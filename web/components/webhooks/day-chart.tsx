import { Text, VisuallyHidden } from '@mantine/core'
import type { Output } from '../../client/calls.ts'
import { writtenTime } from '../../client/formats.ts'
import { endpoints } from '../../copy/webhooks.ts'
import { Timed } from '../moment.tsx'
import styles from './day-chart.module.css'
import { milliseconds, number, percent } from './figures.ts'

const words = endpoints.chart

export type Health = Output<'getWebhookEndpointHealth'>
type Hour = Health['hours'][number]

const STEP = 8
const BAR = 6
const HOUR = { weekday: 'short', hour: '2-digit', minute: '2-digit' } as const
const hourOf = (start: string): string => writtenTime(new Date(start), HOUR)

/** The day in one line: how much was sent, how much of it succeeded, and how fast. */
export function summaryOf({ hours, successRate }: Health): string {
  if (successRate === null) return words.quiet
  const median = medianOf(hours)
  const attempts = hours.reduce((sum, hour) => sum + hour.attempts, 0)
  const parts = [words.attempts(attempts), words.succeeded(percent(successRate))]
  if (median !== null) parts.push(words.latency(milliseconds(median)))
  return parts.join(' · ')
}

/** A day's attempts as bars, small enough for a row. */
export function DaySparkline({ health }: { health: Health }) {
  return (
    <div className={styles.row}>
      <Bars hours={health.hours} height={24} label={`${words.label}: ${summaryOf(health)}`} width={144} />
      <Text size="xs" c="dimmed">
        {summaryOf(health)}
      </Text>
    </div>
  )
}

/** The day by the hour: what succeeded and failed, and how long answers took; the same as a table. */
export function DayChart({ health }: { health: Health }) {
  const { hours } = health
  const isQuiet = health.successRate === null
  return (
    <div className={styles.chart}>
      <Text size="sm">{summaryOf(health)}</Text>
      {!isQuiet && (
        <>
          <div className={styles.measured}>
            <Bars hours={hours} height={72} label={words.label} />
            <span className={styles.most} aria-hidden>
              {words.attempts(Math.max(...hours.map(({ attempts }) => attempts)))}
            </span>
          </div>
          <Latency hours={hours} height={48} />
          <div className={styles.axis} aria-hidden>
            {[hours[0], hours[12], hours.at(-1)].map(
              (hour) => hour && <span key={hour.start}>{hourOf(hour.start)}</span>,
            )}
          </div>
          <div className={styles.legend} aria-hidden>
            <span data-part="succeeded">{words.legend.succeeded}</span>
            <span data-part="failed">{words.legend.failed}</span>
            <span data-part="latency">{`${words.medianLine}, ${words.columns.slow}`}</span>
          </div>
          <HourTable hours={hours} />
        </>
      )}
    </div>
  )
}

function Bars({
  hours,
  height,
  width,
  label,
}: {
  hours: readonly Hour[]
  height: number
  width?: number
  label: string
}) {
  const most = Math.max(1, ...hours.map(({ attempts }) => attempts))
  const scale = (count: number) => (count === 0 ? 0 : Math.max(2, (count / most) * (height - 2)))
  return (
    <svg
      role="img"
      aria-label={label}
      className={styles.bars}
      viewBox={`0 0 ${hours.length * STEP} ${height}`}
      width={width ?? '100%'}
      height={height}
      preserveAspectRatio="none"
    >
      {hours.map(({ start, attempts, succeeded }, at) => {
        const good = scale(succeeded)
        const bad = scale(attempts - succeeded)
        const x = at * STEP + 1
        return (
          <g key={start}>
            <title>{`${hourOf(start)}: ${succeeded}/${attempts}`}</title>
            <rect x={x} y={height - 1} width={BAR} height={1} className={styles.ground} />
            {good > 0 && <rect x={x} y={height - good} width={BAR} height={good} className={styles.good} />}
            {bad > 0 && (
              <rect
                x={x}
                y={Math.max(0, height - good - bad)}
                width={BAR}
                height={bad}
                className={styles.bad}
              />
            )}
          </g>
        )
      })}
    </svg>
  )
}

/** For each hour the median as a bar, and a whisker to what 95 of 100 were faster than. */
function Latency({ hours, height }: { hours: readonly Hour[]; height: number }) {
  const most = Math.max(1, ...hours.map(({ slowMs, medianMs }) => slowMs ?? medianMs ?? 0))
  const y = (value: number) => height - Math.max(2, (value / most) * (height - 4))
  return (
    <div className={styles.measured}>
      <svg
        role="img"
        aria-label={`${words.medianLine}, ${words.columns.slow}`}
        viewBox={`0 0 ${hours.length * STEP} ${height}`}
        width="100%"
        height={height}
        preserveAspectRatio="none"
      >
        {hours.map(({ start, medianMs, slowMs }, at) => {
          if (medianMs === null) return null
          const x = at * STEP + 1
          const top = y(slowMs ?? medianMs)
          return (
            <g key={start}>
              <title>{`${hourOf(start)}: ${milliseconds(medianMs)}, ${milliseconds(slowMs ?? medianMs)}`}</title>
              <line
                x1={x + BAR / 2}
                x2={x + BAR / 2}
                y1={top}
                y2={height}
                className={styles.whisker}
                vectorEffect="non-scaling-stroke"
              />
              <rect x={x} y={y(medianMs)} width={BAR} height={2} className={styles.median} />
            </g>
          )
        })}
      </svg>
      <span className={styles.most} aria-hidden>
        {milliseconds(most)}
      </span>
    </div>
  )
}

/** For who does not see the chart. */
function HourTable({ hours }: { hours: readonly Hour[] }) {
  return (
    <VisuallyHidden component="div">
      <table>
        <caption>{words.table}</caption>
        <thead>
          <tr>
            {Object.values(words.columns).map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {hours
            .filter(({ attempts }) => attempts > 0)
            .map(({ start, attempts, succeeded, medianMs, slowMs }) => (
              <tr key={start}>
                <th scope="row">
                  <Timed at={start}>{hourOf(start)}</Timed>
                </th>
                <td>{number(attempts)}</td>
                <td>{number(succeeded)}</td>
                <td>{medianMs === null ? words.none : milliseconds(medianMs)}</td>
                <td>{slowMs === null ? words.none : milliseconds(slowMs)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </VisuallyHidden>
  )
}

/** The middle of the hours' medians, each as often as it had attempts. */
function medianOf(hours: readonly Hour[]): number | null {
  const told = hours
    .flatMap(({ medianMs, attempts }) => (medianMs === null ? [] : [{ medianMs, attempts }]))
    .sort((one, other) => one.medianMs - other.medianMs)
  const half = told.reduce((sum, { attempts }) => sum + attempts, 0) / 2
  let passed = 0
  for (const { medianMs, attempts } of told) {
    passed += attempts
    if (passed >= half) return medianMs
  }
  return null
}
