/** The plumb line. */
export function Mark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="currentColor" />
      <path
        d="M8 6.5h16M16 6.5V17"
        stroke="var(--mantine-color-body)"
        strokeWidth="2"
        strokeLinecap="round"
      />
      <path d="M11.5 17h9L16 26.5z" fill="var(--mantine-color-body)" />
    </svg>
  )
}
