import { encode } from 'uqr'

/** Drawn black on white whatever the scheme: that is what cameras read. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 })
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      width={168}
      height={168}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      style={{ flex: 'none', borderRadius: 6, background: '#fff' }}
    >
      <path d={path} fill="#000" />
    </svg>
  )
}
